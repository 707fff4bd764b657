package dev.clew.server.internal.responses;

import dev.clew.SessionKey;
import java.util.Optional;

/**
 * Where a turn is written. Immutable.
 *
 * @param key the session
 * @param own whether it was made for responses and is no conversation that somebody asked for
 * @param fork where it branches off, if it has to be made first
 */
record TurnTarget(SessionKey key, boolean own, Optional<ForkPoint> fork) {
  /** The place in a session up to which another one is the same. */
  record ForkPoint(String session, long position) {}

  static TurnTarget conversation(SessionKey key) {
    return new TurnTarget(key, false, Optional.empty());
  }

  static TurnTarget own(SessionKey key) {
    return new TurnTarget(key, true, Optional.empty());
  }
}
