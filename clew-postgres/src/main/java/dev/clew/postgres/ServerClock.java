package dev.clew.postgres;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;

/**
 * The server's time, told by the local clock and the difference that was last measured.
 * Thread-safe.
 *
 * <p>Hosts that share a store must agree on when a lease or a session ends, whatever their own
 * clocks show.
 */
final class ServerClock extends Clock {
  private final Clock local;
  private volatile long ahead;

  private ServerClock(Clock local, long ahead) {
    this.local = local;
    this.ahead = ahead;
  }

  /** Asks the server. */
  static ServerClock of(Connections connections) {
    ServerClock clock = new ServerClock(Clock.systemUTC(), 0);
    clock.measure(connections);
    return clock;
  }

  /** Asks anew. */
  void measure(Connections connections) {
    ahead =
        connections.read(
            db -> {
              long before = local.millis();
              long server =
                  db.number(
                      before, "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint");
              return server - (before + local.millis()) / 2;
            });
  }

  @Override
  public Instant instant() {
    return local.instant().plusMillis(ahead);
  }

  @Override
  public long millis() {
    return local.millis() + ahead;
  }

  @Override
  public ZoneId getZone() {
    return local.getZone();
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return new ServerClock(local.withZone(zone), ahead);
  }
}
