package dev.clew.decorate;

import java.time.Duration;
import java.util.Optional;

/**
 * How often a call is attempted, and the pauses in between. Immutable.
 *
 * <p>A pause is randomly shortened by up to half, so that callers that failed together do not retry
 * together.
 *
 * @param attempts the most attempts, including the first
 * @param firstPause how long to wait after the first failure
 * @param factor how much longer each pause is than the previous one
 * @param longestPause the longest pause
 * @param deadline no attempt starts later than this after the call; empty for no deadline
 */
public record RetryPolicy(
    int attempts,
    Duration firstPause,
    double factor,
    Duration longestPause,
    Optional<Duration> deadline) {
  /** Three attempts, a pause of a second, then of two. */
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(3, Duration.ofSeconds(1), 2, Duration.ofSeconds(30), Optional.empty());

  /** Checks the numbers. */
  public RetryPolicy {
    if (attempts < 1) {
      throw new IllegalArgumentException("a call is made at least once, not " + attempts);
    }
    if (!(factor >= 1)) {
      throw new IllegalArgumentException("pauses do not get shorter: factor is " + factor);
    }
    if (firstPause.isNegative() || longestPause.isNegative()) {
      throw new IllegalArgumentException("a pause is not negative");
    }
    deadline.ifPresent(
        time -> {
          if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("a deadline lies in the future, not " + time);
          }
        });
  }

  /** With another number of attempts. */
  public RetryPolicy attempts(int value) {
    return new RetryPolicy(value, firstPause, factor, longestPause, deadline);
  }

  /** With another first pause. */
  public RetryPolicy firstPause(Duration value) {
    return new RetryPolicy(attempts, value, factor, longestPause, deadline);
  }

  /** With another growth of the pauses. */
  public RetryPolicy factor(double value) {
    return new RetryPolicy(attempts, firstPause, value, longestPause, deadline);
  }

  /** With another longest pause. */
  public RetryPolicy longestPause(Duration value) {
    return new RetryPolicy(attempts, firstPause, factor, value, deadline);
  }

  /** With a time after which a call is not retried. */
  public RetryPolicy deadline(Duration value) {
    return new RetryPolicy(attempts, firstPause, factor, longestPause, Optional.of(value));
  }

  /** The longest pause after this many failures. */
  Duration pause(int failures) {
    double nanos = firstPause.toNanos() * Math.pow(factor, failures - 1.0);
    return Duration.ofNanos((long) Math.min(nanos, (double) longestPause.toNanos()));
  }
}
