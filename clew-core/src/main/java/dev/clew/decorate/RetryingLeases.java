package dev.clew.decorate;

import dev.clew.Leases;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import java.time.Duration;
import java.util.Optional;

/**
 * The leases of a {@link RetryingStore}. Thread-safe. All of their calls may be repeated: who holds
 * a lease already is given it once more.
 */
final class RetryingLeases implements Leases {
  private final SessionStore store;
  private final Attempts attempts;

  RetryingLeases(SessionStore store, Attempts attempts) {
    this.store = store;
    this.attempts = attempts;
  }

  @Override
  public Optional<Grant> tryAcquire(
      SessionKey key, String name, String holder, Duration timeToLive) {
    return attempts.repeat(
        "tryAcquire", () -> store.leases().tryAcquire(key, name, holder, timeToLive));
  }

  @Override
  public Optional<Grant> renew(Grant grant, Duration timeToLive) {
    return attempts.repeat("renew", () -> store.leases().renew(grant, timeToLive));
  }

  @Override
  public void release(Grant grant) {
    attempts.repeat(
        "release",
        () -> {
          store.leases().release(grant);
          return grant;
        });
  }

  @Override
  public Optional<Grant> holder(SessionKey key, String name) {
    return attempts.repeat("holder", () -> store.leases().holder(key, name));
  }
}
