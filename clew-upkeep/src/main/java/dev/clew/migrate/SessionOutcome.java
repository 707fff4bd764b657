package dev.clew.migrate;

import dev.clew.SessionKey;

/**
 * What became of one session. Immutable.
 *
 * @param key the session
 * @param kind what became of it
 * @param items how many items the history has that was or would be moved
 * @param message why, for {@link Kind#REFUSED} and {@link Kind#FAILED}; else empty
 */
public record SessionOutcome(SessionKey key, Kind kind, long items, String message) {
  /** What can become of a session. */
  public enum Kind {
    /** It is in the target now, verified. */
    MOVED,
    /** It was there already, with the same content. */
    ALREADY_THERE,
    /** It would be moved, if this were not a dry run. */
    WOULD_MOVE,
    /** The target has another session of that name; nothing was changed. */
    REFUSED,
    /** It could not be moved; what the target has of it, if anything, is marked as unfinished. */
    FAILED
  }
}
