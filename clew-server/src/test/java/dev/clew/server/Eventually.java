package dev.clew.server;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The one place where these tests wait: for conditions, with a deadline. Stateless. */
public final class Eventually {
  /** Far more than anything needs, so that only what never happens runs into it. */
  public static final Duration DEADLINE = Duration.ofSeconds(60);

  private static final long PAUSE_NANOS = 1_000_000;

  private Eventually() {}

  /** Asks until the answer is as wanted; that answer. */
  public static <T> T ask(String what, Supplier<T> question, Predicate<T> wanted) {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    while (true) {
      T answer = question.get();
      if (wanted.test(answer)) {
        return answer;
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not in time: " + what + "; the last answer was " + answer);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  public static void open(String what, CountDownLatch latch) {
    try {
      if (!latch.await(DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("not in time: " + what);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for: " + what, e);
    }
  }

  public static <T> T value(Future<T> future) {
    try {
      return future.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("a task failed", e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("not in time", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
