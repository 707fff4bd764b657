package dev.clew.kit;

import java.util.concurrent.ThreadFactory;

/** Makes daemon threads. Stateless. */
public final class Daemons {
  private Daemons() {}

  /** Threads of that name. */
  public static ThreadFactory named(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
