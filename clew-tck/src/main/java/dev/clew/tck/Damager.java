package dev.clew.tck;

import dev.clew.SessionKey;

/**
 * Spoils records of a store behind its back, as a failing disk would. Used by one thread at a time.
 */
@FunctionalInterface
public interface Damager {

  /** Makes the stored item at this position unreadable, without removing it. */
  void damage(SessionKey key, long position);
}
