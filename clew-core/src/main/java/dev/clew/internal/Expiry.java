package dev.clew.internal;

import java.time.Duration;
import java.time.Instant;

/** When something ends that lives for a time. Stateless. */
public final class Expiry {
  private Expiry() {}

  /** The end of a life that begins at {@code start}; very long lives do not overflow. */
  public static Instant end(Instant start, Duration timeToLive) {
    long from = start.toEpochMilli();
    return Instant.ofEpochMilli(from + Math.min(millis(timeToLive), Long.MAX_VALUE - from));
  }

  private static long millis(Duration duration) {
    return duration.toSeconds() >= Long.MAX_VALUE / 1000 ? Long.MAX_VALUE : duration.toMillis();
  }

  /**
   * Checks a time to live.
   *
   * @throws IllegalArgumentException if it is shorter than a millisecond
   */
  public static Duration check(String what, Duration timeToLive) {
    if (timeToLive.isNegative() || millis(timeToLive) < 1) {
      throw new IllegalArgumentException(what + " lives at least a millisecond, not " + timeToLive);
    }
    return timeToLive;
  }
}
