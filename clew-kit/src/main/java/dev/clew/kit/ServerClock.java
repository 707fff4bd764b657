package dev.clew.kit;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.ToLongFunction;

/**
 * The time of a server: the local clock, corrected by the difference measured last. Hosts that
 * share a store must agree on when a lease or a session expires, whatever their own clocks show.
 * Thread-safe.
 */
public final class ServerClock extends Clock {
  private final Clock local;
  private final ToLongFunction<Clock> ahead;
  private volatile long millisAhead;

  private ServerClock(Clock local, ToLongFunction<Clock> ahead, long millisAhead) {
    this.local = local;
    this.ahead = ahead;
    this.millisAhead = millisAhead;
  }

  /**
   * Measures once.
   *
   * @param ahead by how many milliseconds the server is ahead of the given clock
   */
  public static ServerClock of(ToLongFunction<Clock> ahead) {
    ServerClock clock = new ServerClock(Clock.systemUTC(), ahead, 0);
    clock.measure();
    return clock;
  }

  /** Measures again. */
  public void measure() {
    millisAhead = ahead.applyAsLong(local);
  }

  @Override
  public Instant instant() {
    return local.instant().plusMillis(millisAhead);
  }

  @Override
  public long millis() {
    return local.millis() + millisAhead;
  }

  @Override
  public ZoneId getZone() {
    return local.getZone();
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return new ServerClock(local.withZone(zone), ahead, millisAhead);
  }
}
