package dev.clew;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Named leases on sessions, the store's side of {@link StoredSession#lease}. Thread-safe.
 *
 * <p>A lease belongs to one holder until it is released or expires. Each time it changes hands its
 * fence grows, so that a write by a former holder can be distinguished from one by the current
 * holder.
 *
 * <p>A fence never restarts. {@link StoredSession#delete} leaves leases as they are, held or not.
 * {@link SessionStore#erase} frees those of the owner, so that they can be acquired at once, but
 * keeps their fences growing: the next grant has a higher one, and a former holder cannot write.
 */
public interface Leases {

  /**
   * A lease as the store recorded it.
   *
   * @param key the session
   * @param name what the lease is for
   * @param holder who holds it
   * @param fence grows each time the lease changes hands
   * @param expiresAt when it ends unless renewed
   */
  record Grant(SessionKey key, String name, String holder, long fence, Instant expiresAt) {}

  /** Acquires the lease if it is free or has expired; empty if another holder has it. */
  Optional<Grant> tryAcquire(SessionKey key, String name, String holder, Duration timeToLive);

  /**
   * Extends a lease that is still this holder's, even if it has expired; empty if it was released
   * or has changed hands.
   */
  Optional<Grant> renew(Grant grant, Duration timeToLive);

  /** Releases the lease; does nothing if it is no longer this holder's. */
  void release(Grant grant);

  /** The current grant; empty if the lease is free. */
  Optional<Grant> holder(SessionKey key, String name);
}
