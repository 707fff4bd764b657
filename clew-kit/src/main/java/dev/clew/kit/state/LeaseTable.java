package dev.clew.kit.state;

import dev.clew.Leases;
import dev.clew.SessionKey;
import dev.clew.kit.TimeToLive;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The leases of a store that only this process uses. Arguments are already checked. Thread-safe.
 */
public final class LeaseTable implements Leases {
  /** A lease as last granted. It stays after its release, because its fence remains the newest. */
  public record Held(Grant grant, boolean released) {
    /** Whether it is held at a time. */
    public boolean isHeldAt(Instant now) {
      return !released && grant.expiresAt().isAfter(now);
    }
  }

  private final Guard guard;
  private final Clock clock;
  private final Consumer<Held> journal;
  private final Map<SessionKey, Map<String, Held>> leases = new HashMap<>();

  /** One counter for all, so that fences grow even after a lease was forgotten. */
  private long lastFence;

  /** Passes each lease to {@code journal} before it takes effect. */
  public LeaseTable(Guard guard, Clock clock, Consumer<Held> journal) {
    this.guard = guard;
    this.clock = clock;
    this.journal = journal;
  }

  /** Restores a lease that was passed to a journal. Called under the guard. */
  public void restore(Held held) {
    put(held);
    skipTo(held.grant().fence());
  }

  /** Skips all fences up to this one. Called under the guard. */
  public void skipTo(long fence) {
    lastFence = Math.max(lastFence, fence);
  }

  /** The newest fence that was given out. Called under the guard. */
  public long lastFence() {
    return lastFence;
  }

  /** All leases. Called under the guard. */
  public List<Held> all() {
    return leases.values().stream().flatMap(held -> held.values().stream()).toList();
  }

  @Override
  public Optional<Grant> tryAcquire(
      SessionKey key, String name, String holder, Duration timeToLive) {
    return guard.write(
        () -> {
          Instant now = clock.instant();
          Optional<Grant> held = held(key, name, now);
          if (held.isPresent() && !held.get().holder().equals(holder)) {
            return Optional.empty();
          }
          long fence = held.isPresent() ? held.get().fence() : ++lastFence;
          return Optional.of(grant(key, name, holder, fence, now, timeToLive));
        });
  }

  @Override
  public Optional<Grant> renew(Grant grant, Duration timeToLive) {
    return guard.write(
        () -> {
          Instant now = clock.instant();
          return find(grant.key(), grant.name())
              .filter(held -> !held.released() && isSame(held.grant(), grant))
              .map(
                  held -> {
                    String holder = grant.holder();
                    return grant(grant.key(), grant.name(), holder, grant.fence(), now, timeToLive);
                  });
        });
  }

  private Grant grant(
      SessionKey key, String name, String holder, long fence, Instant now, Duration timeToLive) {
    Grant grant = new Grant(key, name, holder, fence, TimeToLive.end(now, timeToLive));
    change(new Held(grant, false));
    return grant;
  }

  private void change(Held held) {
    journal.accept(held);
    put(held);
  }

  private void put(Held held) {
    leases
        .computeIfAbsent(held.grant().key(), key -> new HashMap<>())
        .put(held.grant().name(), held);
  }

  @Override
  public void release(Grant grant) {
    guard.write(
        () -> {
          Optional<Held> held = find(grant.key(), grant.name());
          held.filter(found -> isSame(found.grant(), grant))
              .ifPresent(found -> change(new Held(found.grant(), true)));
          return held;
        });
  }

  @Override
  public Optional<Grant> holder(SessionKey key, String name) {
    return guard.read(() -> held(key, name, clock.instant()));
  }

  private Optional<Grant> held(SessionKey key, String name, Instant now) {
    return find(key, name).filter(held -> held.isHeldAt(now)).map(Held::grant);
  }

  private Optional<Held> find(SessionKey key, String name) {
    return Optional.ofNullable(leases.getOrDefault(key, Map.of()).get(name));
  }

  private static boolean isSame(Grant a, Grant b) {
    return a.fence() == b.fence() && a.holder().equals(b.holder());
  }

  /** The newest fence of a lease; 0 if it was never taken. Called under the guard. */
  public long fence(SessionKey key, String name) {
    return find(key, name).map(held -> held.grant().fence()).orElse(0L);
  }

  /** Drops the leases of a session that nobody holds. Called under the guard. */
  public void forgetIdle(SessionKey key, Instant now) {
    leases.computeIfPresent(
        key,
        (same, held) -> {
          held.values().removeIf(lease -> !lease.isHeldAt(now));
          return held.isEmpty() ? null : held;
        });
  }

  /** Drops every lease of an owner. Called under the guard. */
  public void erase(String owner) {
    leases.keySet().removeIf(key -> key.owner().equals(owner));
  }
}
