package dev.clew.tck;

import dev.clew.Leases;
import dev.clew.SessionKey;
import java.time.Duration;
import java.util.Optional;

/** The leases of a {@link FaultyStore}. Thread-safe. */
final class FaultyLeases implements Leases {
  private final FaultyStore store;

  FaultyLeases(FaultyStore store) {
    this.store = store;
  }

  @Override
  public Optional<Grant> tryAcquire(
      SessionKey key, String name, String holder, Duration timeToLive) {
    return store.call(
        "leases.tryAcquire",
        Optional.of(key),
        () -> store.behind().leases().tryAcquire(key, name, holder, timeToLive));
  }

  @Override
  public Optional<Grant> renew(Grant grant, Duration timeToLive) {
    return store.call(
        "leases.renew",
        Optional.of(grant.key()),
        () -> store.behind().leases().renew(grant, timeToLive));
  }

  @Override
  public void release(Grant grant) {
    store.call(
        "leases.release",
        Optional.of(grant.key()),
        () -> {
          store.behind().leases().release(grant);
          return true;
        });
  }

  @Override
  public Optional<Grant> holder(SessionKey key, String name) {
    return store.call(
        "leases.holder", Optional.of(key), () -> store.behind().leases().holder(key, name));
  }
}
