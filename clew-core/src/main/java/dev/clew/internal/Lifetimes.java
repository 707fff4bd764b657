package dev.clew.internal;

import java.time.Duration;

/** Times to live in milliseconds. Stateless. */
public final class Lifetimes {
  /** Thirty thousand years: adding it to a time does not overflow. */
  private static final long LONGEST = 1_000_000_000_000_000L;

  private Lifetimes() {}

  /** The time in milliseconds, cut so that it can be added to a time. */
  public static long millis(Duration life) {
    return life.toSeconds() > LONGEST / 1000 ? LONGEST : life.toMillis();
  }
}
