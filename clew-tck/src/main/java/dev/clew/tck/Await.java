package dev.clew.tck;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The one place where tests of stores wait: for conditions, with a deadline. Stateless. */
public final class Await {
  /**
   * Far more than any store needs, also on a machine that does much else, so that only what never
   * happens runs into it. Tests of the contract itself wait for what never happens, and shorten it.
   */
  static final Duration DEADLINE = Duration.ofSeconds(Integer.getInteger("clew.tck.deadline", 60));

  /** For what many threads do. */
  static final Duration LONG_DEADLINE = DEADLINE.multipliedBy(2);

  private static final long PAUSE_NANOS = 1_000_000;

  private Await() {}

  /** Waits until the condition holds. */
  public static void until(Supplier<String> what, BooleanSupplier condition) {
    until(what, condition::getAsBoolean, holds -> holds);
  }

  /** Waits until the condition holds, for what must happen soon. */
  public static void within(Duration time, Supplier<String> what, BooleanSupplier condition) {
    until(time, what, condition::getAsBoolean, holds -> holds);
  }

  /** Asks until the answer is as wanted; that answer. */
  static <T> T until(Supplier<String> what, Supplier<T> question, Predicate<T> wanted) {
    return until(DEADLINE, what, question, wanted);
  }

  private static <T> T until(
      Duration time, Supplier<String> what, Supplier<T> question, Predicate<T> wanted) {
    long deadline = System.nanoTime() + time.toNanos();
    while (true) {
      T answer = question.get();
      if (wanted.test(answer)) {
        return answer;
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within " + time.toSeconds() + " s: " + what.get());
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Waits until the latch is open. */
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

  /** The value of a future; what it failed with is thrown as if the caller had been called. */
  static <T> T value(Future<T> future) {
    return value(LONG_DEADLINE, () -> "a result", future);
  }

  /** The same within a time, with what to say if it takes longer. */
  static <T> T value(Duration time, Supplier<String> what, Future<T> future) {
    try {
      return future.get(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | CompletionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof RuntimeException thrown) {
        throw thrown;
      }
      if (cause instanceof Error thrown) {
        throw thrown;
      }
      throw new AssertionError("failed with a checked exception", cause);
    } catch (TimeoutException e) {
      throw new AssertionError("not within " + time.toSeconds() + " s: " + what.get(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for a result", e);
    }
  }
}
