package dev.clew.sqlite;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The one place where these tests wait: for conditions, with a deadline. Stateless. */
final class Wait {
  /** Far more than anything needs, so that only what never happens runs into it. */
  static final Duration DEADLINE = Duration.ofSeconds(Soak.ON ? 600 : 60);

  private static final long PAUSE_NANOS = 1_000_000;

  private Wait() {}

  interface Task<T> {
    T run(int number) throws Exception;
  }

  static void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within " + DEADLINE.toSeconds() + " s: " + what);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  static void open(String what, CountDownLatch latch) {
    try {
      if (!latch.await(DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("not within " + DEADLINE.toSeconds() + " s: " + what);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for: " + what, e);
    }
  }

  /** Runs the task once for each number below {@code size}, all at the same time. */
  static <T> List<T> together(int size, Task<T> task) {
    CountDownLatch ready = new CountDownLatch(size);
    List<Callable<T>> calls = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int number = i;
      calls.add(
          () -> {
            ready.countDown();
            open("all threads started", ready);
            return task.run(number);
          });
    }
    ExecutorService threads = Executors.newFixedThreadPool(size, Wait::daemon);
    try {
      List<T> results = new ArrayList<>();
      for (Future<T> one : calls.stream().map(threads::submit).toList()) {
        results.add(value(one));
      }
      return results;
    } finally {
      threads.shutdown();
    }
  }

  static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "clew-test");
    thread.setDaemon(true);
    return thread;
  }

  static <T> T value(Future<T> future) {
    try {
      return future.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException thrown) {
        throw thrown;
      }
      throw new AssertionError("a task failed", e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("not done within " + DEADLINE.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
