package dev.clew.server.internal.limits;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * A token bucket for each caller. Thread-safe.
 *
 * <p>A bucket is the time when it will be full again, so a full one can be forgotten. When too many
 * are not full, new callers share one; memory stays bounded.
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
   * @param perMinute how many tokens a bucket gets per minute, and holds
   * @param mostCallers how many buckets are kept
   * @param nanos a monotonic clock such as {@link System#nanoTime}
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
   * The result of a take. Immutable.
   *
   * @param waitNanos until there are enough tokens, or if taken, until the bucket is full
   */
  public record Take(boolean taken, int remaining, long waitNanos) {}

  /** Takes tokens, all or none; more than a full bucket holds count as a full bucket. */
  public Take take(String caller, int tokens) {
    String key = fullAt.containsKey(caller) || hasRoom() ? caller : OTHERS;
    long cost = Math.min(tokens, capacity) * nanosPerToken;
    long whole = capacity * nanosPerToken;
    Take[] result = new Take[1];
    fullAt.compute(
        key,
        (same, before) -> {
          long now = nanos.getAsLong(); // in here, so that takes are ordered by time
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

  public int capacity() {
    return capacity;
  }

  long buckets() {
    return fullAt.mappingCount();
  }
}
