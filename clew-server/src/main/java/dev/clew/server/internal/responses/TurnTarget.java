package dev.clew.server.internal.responses;

import dev.clew.SessionKey;
import java.util.Optional;

/**
 * Where a turn is stored. Immutable.
 *
 * @param own whether the session was made for responses and is not a conversation
 * @param fork where it must be forked from first
 */
record TurnTarget(SessionKey key, boolean own, Optional<ForkPoint> fork) {
  record ForkPoint(String session, long position) {}

  static TurnTarget conversation(SessionKey key) {
    return new TurnTarget(key, false, Optional.empty());
  }

  static TurnTarget own(SessionKey key) {
    return new TurnTarget(key, true, Optional.empty());
  }
}
