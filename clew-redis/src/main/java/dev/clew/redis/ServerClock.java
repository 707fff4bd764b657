package dev.clew.redis;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

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

  /** Asks the server; of a cluster, one of its nodes. */
  static ServerClock of(Server server) {
    ServerClock clock = new ServerClock(Clock.systemUTC(), 0);
    clock.measure(server);
    return clock;
  }

  /** Asks anew. */
  void measure(Server server) {
    long before = local.millis();
    List<byte[]> time = server.get(new byte[0], redis -> redis.time());
    long told = Wire.number(time.get(0)) * 1000 + Wire.number(time.get(1)) / 1000;
    ahead = told - (before + local.millis()) / 2;
  }

  @Override
  public Instant instant() {
    return local.instant().plusMillis(ahead);
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
