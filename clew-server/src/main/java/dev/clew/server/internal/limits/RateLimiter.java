package dev.clew.server.internal.limits;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * A token bucket for each of many callers. Thread-safe.
 *
 * <p>A bucket is one number: the time at which it will be full again. So one that is full is the
 * same as none, and forgetting it loses nothing. When there are too many that are not full, callers
 * who are new share one bucket; memory stays bounded whoever calls.
 */
public final class RateLimiter {
  private static final String OTHERS = "";

  private final ConcurrentHashMap<String, Long> fullAt = new ConcurrentHashMap<>();
  private final int capacity;
  private final long nanosPerToken;
  private final int mostCallers;
  private final LongSupplier nanos;

  /**
   * Buckets that fill evenly.
   *
   * @param perMinute how many tokens a bucket gets in a minute, and how many it holds
   * @param mostCallers how many buckets are kept
   * @param nanos a clock that never goes back, such as {@link System#nanoTime}
   */
  public RateLimiter(int perMinute, int mostCallers, LongSupplier nanos) {
    if (perMinute < 1) {
      throw new IllegalArgumentException("a bucket gets at least 1 token, not " + perMinute);
    }
    this.capacity = perMinute;
    this.nanosPerToken = 60_000_000_000L / perMinute;
    this.mostCallers = mostCallers;
    this.nanos = nanos;
  }

  /**
   * What came of a try. Immutable.
   *
   * @param taken whether the tokens were there
   * @param remaining how many are left
   * @param waitNanos if not taken, until there are enough; else until the bucket is full
   */
  public record Take(boolean taken, int remaining, long waitNanos) {}

  /**
   * Takes tokens out of a caller's bucket, all or none; one that costs too much takes a full one.
   */
  public Take take(String caller, int tokens) {
    String key = fullAt.containsKey(caller) || hasRoom() ? caller : OTHERS;
    long cost = Math.min(tokens, capacity) * nanosPerToken;
    long whole = capacity * nanosPerToken;
    Take[] result = new Take[1];
    fullAt.compute(
        key,
        (same, before) -> {
          long now = nanos.getAsLong(); // in here, so that takes and time are in one order
          long start = before == null || before - now < 0 ? now : before;
          long after = start + cost;
          boolean enough = after - now <= whole;
          long end = enough ? after : start;
          int remaining = (int) ((whole - (end - now)) / nanosPerToken);
          result[0] = new Take(enough, remaining, enough ? end - now : after - now - whole);
          return end;
        });
    return result[0];
  }

  private boolean hasRoom() {
    if (fullAt.mappingCount() >= mostCallers) {
      long now = nanos.getAsLong();
      fullAt.values().removeIf(end -> end - now <= 0);
    }
    return fullAt.mappingCount() < mostCallers;
  }

  /** How many tokens a full bucket holds. */
  public int capacity() {
    return capacity;
  }

  /** How many buckets are kept now. */
  long buckets() {
    return fullAt.mappingCount();
  }
}
