package dev.clew.redis;

import dev.clew.Leases;
import dev.clew.SessionKey;
import dev.clew.kit.TimeToLive;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Leases as fields of a hash. Thread-safe. */
record RedisLeases(Server server, Keys keys, Clock clock) implements Leases {
  @Override
  public Optional<Grant> tryAcquire(
      SessionKey key, String name, String holder, Duration timeToLive) {
    long now = clock.millis();
    return run("acquire", key, name, holder, now, now + TimeToLive.millis(timeToLive), 0);
  }

  @Override
  public Optional<Grant> renew(Grant grant, Duration timeToLive) {
    long now = clock.millis();
    return run(
        "renew",
        grant.key(),
        grant.name(),
        grant.holder(),
        now,
        now + TimeToLive.millis(timeToLive),
        grant.fence());
  }

  @Override
  public void release(Grant grant) {
    // It stays as one that has ended, so that a late write is told from one by the next holder.
    run("release", grant.key(), grant.name(), grant.holder(), clock.millis(), 0, grant.fence());
  }

  /** Repeating it does no harm: a holder who asks again has the lease already. */
  private Optional<Grant> run(
      String what, SessionKey key, String name, String holder, long now, long ends, long fence) {
    Keys.OfSession of = keys.of(key);
    List<Object> answer =
        server.repeat(
            Script.LEASE,
            new byte[][] {Keys.leases(of), keys.fences(of)},
            Keys.bytes(what),
            SessionScripts.number(now),
            Keys.lease(of, name),
            Keys.bytes(holder),
            SessionScripts.number(ends),
            SessionScripts.number(fence));
    return answer.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Grant(
                key,
                name,
                holder,
                Long.parseLong(SessionHash.text((byte[]) answer.get(0))),
                Instant.ofEpochMilli(ends)));
  }

  @Override
  public Optional<Grant> holder(SessionKey key, String name) {
    Keys.OfSession of = keys.of(key);
    byte[] held =
        server.get(Keys.leases(of), redis -> redis.hget(Keys.leases(of), Keys.lease(of, name)));
    if (held == null) {
      return Optional.empty();
    }
    String[] fields = SessionHash.text(held).split(" ", 3);
    long ends = Long.parseLong(fields[1]);
    return ends <= clock.millis()
        ? Optional.empty()
        : Optional.of(
            new Grant(key, name, fields[2], Long.parseLong(fields[0]), Instant.ofEpochMilli(ends)));
  }
}
