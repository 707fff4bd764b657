package dev.clew.server.internal.base;

import java.util.concurrent.ThreadFactory;

/** Makes threads that do not keep the program from ending. Stateless. */
public final class Daemons {
  private Daemons() {}

  /** Threads of this name. */
  public static ThreadFactory named(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
