package dev.clew.decorate;

import dev.clew.Leases;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import java.time.Duration;
import java.util.Optional;

/** The leases of a {@link DeadlineStore}. Thread-safe. */
final class DeadlineLeases implements Leases {
  private final SessionStore store;
  private final Deadline deadline;

  DeadlineLeases(SessionStore store, Deadline deadline) {
    this.store = store;
    this.deadline = deadline;
  }

  @Override
  public Optional<Grant> tryAcquire(
      SessionKey key, String name, String holder, Duration timeToLive) {
    return deadline.write(
        "tryAcquire", () -> store.leases().tryAcquire(key, name, holder, timeToLive));
  }

  @Override
  public Optional<Grant> renew(Grant grant, Duration timeToLive) {
    return deadline.write("renew", () -> store.leases().renew(grant, timeToLive));
  }

  @Override
  public void release(Grant grant) {
    deadline.write(
        "release",
        () -> {
          store.leases().release(grant);
          return grant;
        });
  }

  @Override
  public Optional<Grant> holder(SessionKey key, String name) {
    return deadline.read("holder", () -> store.leases().holder(key, name));
  }
}
