package dev.clew.redis;

import dev.clew.Leases;
import dev.clew.SessionKey;
import dev.clew.kit.TimeToLive;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Leases as fields of a hash. Thread-safe. */
record RedisLeases(Server server, Keys keys, Clock clock) implements Leases {
  @Override
  public Optional<Grant> tryAcquire(
      SessionKey key, String name, String holder, Duration timeToLive) {
    return run("acquire", key, name, holder, TimeToLive.millis(timeToLive), 0);
  }

  @Override
  public Optional<Grant> renew(Grant grant, Duration timeToLive) {
    long life = TimeToLive.millis(timeToLive);
    return run("renew", grant.key(), grant.name(), grant.holder(), life, grant.fence());
  }

  @Override
  public void release(Grant grant) {
    // The entry stays, expired, so that the next holder gets a higher fence.
    run("release", grant.key(), grant.name(), grant.holder(), 0, grant.fence());
  }

  /** Runs the script, which may be repeated: a holder who asks again keeps the lease. */
  private Optional<Grant> run(
      String what, SessionKey key, String name, String holder, long life, long fence) {
    Keys.OfSession of = keys.of(key);
    long now = clock.millis();
    long ends = life == 0 ? 0 : now + life;
    byte[][] leases = {of.leases, keys.fences(of)};
    Answer answer =
        server.repeat(Script.LEASE, leases, what, now, Keys.lease(of, name), holder, ends, fence);
    return answer.isEmpty()
        ? Optional.empty()
        : Optional.of(new Grant(key, name, holder, answer.number(0), Instant.ofEpochMilli(ends)));
  }

  @Override
  public Optional<Grant> holder(SessionKey key, String name) {
    Keys.OfSession of = keys.of(key);
    byte[] held = server.get(of.leases, redis -> redis.hget(of.leases, Keys.lease(of, name)));
    if (held == null) {
      return Optional.empty();
    }
    String[] fields = Wire.text(held).split(" ", 3);
    long ends = Long.parseLong(fields[1]);
    return ends <= clock.millis()
        ? Optional.empty()
        : Optional.of(
            new Grant(key, name, fields[2], Long.parseLong(fields[0]), Instant.ofEpochMilli(ends)));
  }
}
