package dev.clew.server.internal.base;

import java.util.concurrent.ThreadFactory;

/** Makes daemon threads. Stateless. */
public final class Daemons {
  private Daemons() {}

  public static ThreadFactory named(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
