package dev.clew.spi;

import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.SessionInfo;
import dev.clew.SessionUpdate;

/**
 * Re-encodes a session's content for a fork. Encryption, which binds content to session and
 * position, is built on it. Thread-safe.
 */
public interface ForkTransform {
  /** The encoded form of an entry of the source at a position of the fork. */
  Draft entry(Entry entry, long position);

  /** The metadata and tags of the fork; both are set. */
  SessionUpdate describe(SessionInfo source);
}
