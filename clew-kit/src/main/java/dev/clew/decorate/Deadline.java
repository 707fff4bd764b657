package dev.clew.decorate;

import dev.clew.ClewException;
import dev.clew.kit.Daemons;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Makes calls on other threads and waits for each only so long. Thread-safe.
 *
 * <p>A call that was given up continues in its thread: interrupting it would close the file channel
 * of a store that has one. The number of such threads is bounded; beyond it calls are refused.
 */
final class Deadline {
  private static final int MOST_GIVEN_UP = 64;

  private final Duration time;
  private final AtomicInteger givenUp = new AtomicInteger();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(Daemons.named("clew-deadline"));

  Deadline(Duration time) {
    this.time = time;
  }

  /** A call that changes nothing. */
  <T> T read(String name, Supplier<T> call) {
    return within(name, false, call);
  }

  /** A call that may still take effect after it was given up. */
  <T> T write(String name, Supplier<T> call) {
    return within(name, true, call);
  }

  private <T> T within(String name, boolean writes, Supplier<T> call) {
    if (givenUp.get() >= MOST_GIVEN_UP) {
      throw new ClewException.StoreUnavailable(
          MOST_GIVEN_UP
              + " calls to the store have not come back, so "
              + name
              + " was not begun; see whether the backend answers",
          null);
    }
    Call<T> running = new Call<>(call);
    Future<T> answer;
    try {
      answer = threads.submit(running::run);
    } catch (RejectedExecutionException e) {
      return call.get(); // the store is closed and reports that
    }
    try {
      return await(answer);
    } catch (TimeoutException e) {
      running.giveUp();
      String message = name + " was not answered within " + time;
      throw writes
          ? new ClewException.OutcomeUnknown(
              message + " and may still take effect; repeat it with the same operation id", null)
          : new ClewException.StoreUnavailable(
              message + "; see whether the backend answers, or allow more time", null);
    }
  }

  /** Interrupting the caller does not undo the call, so its answer is awaited. */
  private <T> T await(Future<T> answer) throws TimeoutException {
    long end = System.nanoTime() + time.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return answer.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw unwrap(e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException unwrap(ExecutionException e) {
    if (e.getCause() instanceof Error error) {
      throw error;
    }
    return e.getCause() instanceof RuntimeException failure
        ? failure
        : new IllegalStateException(e.getCause());
  }

  void close() {
    threads.shutdown();
  }

  /** A call and whether it was given up. Thread-safe. */
  private final class Call<T> {
    private final Supplier<T> call;
    private boolean ended;
    private boolean abandoned;

    Call(Supplier<T> call) {
      this.call = call;
    }

    T run() {
      try {
        return call.get();
      } finally {
        end();
      }
    }

    private synchronized void end() {
      ended = true;
      if (abandoned) {
        givenUp.decrementAndGet();
      }
    }

    synchronized void giveUp() {
      if (!ended) {
        abandoned = true;
        givenUp.incrementAndGet();
      }
    }
  }
}
