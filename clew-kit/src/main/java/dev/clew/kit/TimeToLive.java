package dev.clew.kit;

import java.time.Duration;
import java.time.Instant;

/** Computes with times to live. Stateless. */
public final class TimeToLive {
  /** Thirty thousand years: adding it to a time does not overflow. */
  private static final long LONGEST = 1_000_000_000_000_000L;

  private TimeToLive() {}

  /** A time to live in milliseconds, capped so that it can be added to a time. */
  public static long millis(Duration timeToLive) {
    return timeToLive.toSeconds() > LONGEST / 1000 ? LONGEST : timeToLive.toMillis();
  }

  /** When something expires whose time to live starts at {@code start}. */
  public static Instant end(Instant start, Duration timeToLive) {
    return Instant.ofEpochMilli(start.toEpochMilli() + millis(timeToLive));
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
