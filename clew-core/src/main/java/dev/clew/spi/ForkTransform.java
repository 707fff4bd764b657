package dev.clew.spi;

import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.SessionInfo;
import dev.clew.SessionUpdate;

/**
 * What becomes of a session's content when a fork takes it to another place; encryption, which
 * binds content to its place, is built on it. Thread-safe.
 */
public interface ForkTransform {
  /** What is kept of an entry of the source at a position of the fork. */
  Draft entry(Entry entry, long position);

  /** The metadata and the tags of the fork, both of which it names. */
  SessionUpdate describe(SessionInfo source);
}
