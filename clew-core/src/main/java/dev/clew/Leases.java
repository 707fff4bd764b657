package dev.clew;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Named leases on sessions, the store's side of {@link StoredSession#lease}. Thread-safe.
 *
 * <p>A lease belongs to one holder until it is released or runs out. Each time it changes hands its
 * fence grows, so that a write by a former holder can be told from one by the present holder.
 *
 * <p>A fence never starts anew. {@link SessionStore#delete} leaves leases as they are, held or not.
 * {@link SessionStore#erase} frees those of the owner, so that anybody can take them at once, and
 * remembers their fences: the next grant has a higher one, and a former holder cannot write.
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

  /** Takes the lease if it is free or has run out; nothing if somebody else holds it. */
  Optional<Grant> tryAcquire(SessionKey key, String name, String holder, Duration timeToLive);

  /**
   * Extends a lease that is still this holder's, even if it ran out meanwhile; nothing if it was
   * given back or has changed hands.
   */
  Optional<Grant> renew(Grant grant, Duration timeToLive);

  /** Gives the lease back; does nothing if it is no longer this holder's. */
  void release(Grant grant);

  /** Who holds the lease now, if anybody does. */
  Optional<Grant> holder(SessionKey key, String name);
}
