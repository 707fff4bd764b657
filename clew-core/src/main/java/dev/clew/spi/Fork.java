package dev.clew.spi;

import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import java.util.Optional;

/**
 * A new session with the history of another up to and including a position. Immutable.
 *
 * @param source the session to copy from
 * @param upTo the last position that is copied
 * @param target the new session, of any owner
 * @param transform how the content is re-encoded, called inside the store's transaction; only with
 *     {@link dev.clew.Capability#SEALED_ITEMS}
 */
public record Fork(SessionKey source, long upTo, SessionKey target, Optional<Transform> transform) {
  /** A fork that copies the content as it is. */
  public Fork(SessionKey source, long upTo, SessionKey target) {
    this(source, upTo, target, Optional.empty());
  }

  /**
   * Re-encodes a session's content for a fork. Encryption, which binds content to session and
   * position, is built on it. Thread-safe.
   */
  public interface Transform {
    /** The encoded form of an entry of the source at a position of the fork. */
    Draft entry(Entry entry, long position);

    /** The metadata and tags of the fork; both are set. */
    SessionUpdate describe(SessionInfo source);
  }
}
