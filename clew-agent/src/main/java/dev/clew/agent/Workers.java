package dev.clew.agent;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads that tools and streamed runs use: virtual ones where the JVM has them. Stateless. */
final class Workers {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private Workers() {}

  static final ExecutorService SHARED = make();

  private static ExecutorService make() {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (ReflectiveOperationException e) {
      return Executors.newCachedThreadPool( // before Java 21
          task -> {
            Thread thread = new Thread(task, "clew-agent-" + COUNT.incrementAndGet());
            thread.setDaemon(true);
            return thread;
          });
    }
  }
}
