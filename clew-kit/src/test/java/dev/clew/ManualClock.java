package dev.clew;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands until it is moved, in either direction. Thread-safe. */
public final class ManualClock extends Clock {
  private volatile Instant now = Instant.parse("2025-01-01T00:00:00Z");

  /** Moves it by a time, which may be negative. */
  public synchronized void advance(Duration time) {
    now = now.plus(time);
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("one zone is enough");
  }
}
