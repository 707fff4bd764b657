package dev.clew.sqlite;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.sqlite.BusyHandler;

/**
 * Waits for the lock of another process: pauses double from 0.1 to 10 ms, with jitter, until a
 * deadline. SQLite's own {@code busy_timeout} sleeps up to 100 ms at a time and so starves the
 * longest waiter. Used by one thread at a time, like its connection.
 */
final class BusyWait extends BusyHandler {
  private static final long FIRST_NANOS = 100_000;
  private static final long LONGEST_NANOS = 10_000_000;
  private long limitNanos;
  private long deadline;

  BusyWait(Duration limit) {
    this.limitNanos = limit.toNanos();
  }

  /** Sets how long to wait; returns the limit before. */
  Duration limit(Duration limit) {
    Duration before = Duration.ofNanos(limitNanos);
    limitNanos = limit.toNanos();
    return before;
  }

  @Override
  protected int callback(int previous) {
    long now = System.nanoTime();
    if (previous == 0) {
      deadline = now + limitNanos;
    }
    long left = deadline - now;
    if (left <= 0) {
      return 0;
    }
    long pause = Math.min(LONGEST_NANOS, FIRST_NANOS << Math.min(previous, 10));
    LockSupport.parkNanos(
        Math.min(left, pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1)));
    return 1;
  }
}
