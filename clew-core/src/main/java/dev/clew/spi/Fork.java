package dev.clew.spi;

import dev.clew.SessionKey;
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
public record Fork(
    SessionKey source, long upTo, SessionKey target, Optional<ForkTransform> transform) {
  /** A fork that copies the content as it is. */
  public Fork(SessionKey source, long upTo, SessionKey target) {
    this(source, upTo, target, Optional.empty());
  }
}
