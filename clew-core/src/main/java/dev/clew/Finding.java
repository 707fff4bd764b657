package dev.clew;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Something {@link SessionStore#check} found. Immutable.
 *
 * @param kind what kind of problem
 * @param key the session, if it is about one
 * @param position the item, if it is about one
 * @param message what it is and what to do, without content
 */
public record Finding(Kind kind, Optional<SessionKey> key, OptionalLong position, String message) {
  /** Kinds of findings. */
  public enum Kind {
    /** An item that cannot be read back; reads skip it. */
    DAMAGED,
    /** A damaged item that was quarantined. */
    QUARANTINED,
    /** A call without an output or an output without a call; left out of a model's input. */
    UNPAIRED,
    /** A problem of the backend itself. */
    BACKEND
  }
}
