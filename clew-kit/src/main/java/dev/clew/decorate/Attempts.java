package dev.clew.decorate;

import dev.clew.ClewException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repeats failed calls that may succeed later. Thread-safe. */
record Attempts(RetryPolicy policy, Sleeper sleeper, LongSupplier nanoTime) {
  private static final Logger LOG = LoggerFactory.getLogger(Attempts.class);

  /** Repeats a call that may be made twice without harm. */
  <T> T repeat(String name, Supplier<T> call) {
    return run(name, call, ClewException::retryable);
  }

  /** Repeats a call only if it is certain that it did nothing. */
  <T> T repeatIfNothingHappened(String name, Supplier<T> call) {
    return run(
        name,
        call,
        failure -> failure.retryable() && !(failure instanceof ClewException.OutcomeUnknown));
  }

  /**
   * Repeats a call that has a condition. If an attempt of unknown outcome is followed by a
   * conflict, the conflict may be with that very attempt: then the outcome stays unknown.
   */
  <T> T repeatWithCondition(String name, Supplier<T> call) {
    AtomicReference<ClewException.@Nullable OutcomeUnknown> unknown = new AtomicReference<>();
    try {
      return run(
          name,
          call,
          failure -> {
            if (failure instanceof ClewException.OutcomeUnknown e) {
              unknown.set(e);
            }
            return failure.retryable();
          });
    } catch (ClewException.VersionConflict e) {
      ClewException.OutcomeUnknown earlier = unknown.get();
      throw earlier == null ? e : earlier;
    }
  }

  /** Repeats a call after failures that {@code again} accepts. */
  <T> T run(String name, Supplier<T> call, Predicate<ClewException> again) {
    long start = nanoTime.getAsLong();
    for (int failures = 1; ; failures++) {
      try {
        return call.get();
      } catch (ClewException e) {
        if (failures >= policy.attempts() || !again.test(e) || !pause(name, failures, start, e)) {
          throw e;
        }
      }
    }
  }

  /** Waits before the next attempt; returns false if there is none. */
  private boolean pause(String name, int failures, long start, ClewException failure) {
    Duration longest = policy.pause(failures);
    long half = longest.toNanos() / 2;
    Duration pause =
        longest.minusNanos(half == 0 ? 0 : ThreadLocalRandom.current().nextLong(half + 1));
    long spent = nanoTime.getAsLong() - start;
    Optional<Duration> deadline = policy.deadline();
    if (deadline.isPresent() && spent + pause.toNanos() > deadline.get().toNanos()) {
      return false;
    }
    LOG.debug("{} failed and is tried again in {}: {}", name, pause, failure.getMessage());
    try {
      sleeper.sleep(pause);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
