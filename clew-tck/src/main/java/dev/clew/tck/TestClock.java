package dev.clew.tck;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until a test moves it, forwards or backwards. Thread-safe. */
public final class TestClock extends Clock {
  private final AtomicReference<Instant> now;
  private final ZoneId zone;

  /** A clock that shows this time. */
  public TestClock(Instant start) {
    this(new AtomicReference<>(start), ZoneOffset.UTC);
  }

  private TestClock(AtomicReference<Instant> now, ZoneId zone) {
    this.now = now;
    this.zone = zone;
  }

  /** Moves the clock; a negative step moves it back. */
  public void advance(Duration step) {
    now.updateAndGet(time -> time.plus(step));
  }

  /** Sets the clock. */
  public void set(Instant time) {
    now.set(Objects.requireNonNull(time, "time"));
  }

  @Override
  public Instant instant() {
    return Objects.requireNonNull(now.get());
  }

  @Override
  public ZoneId getZone() {
    return zone;
  }

  @Override
  public Clock withZone(ZoneId other) {
    return new TestClock(now, other);
  }
}
