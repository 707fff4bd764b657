package dev.clew;

/** What not every store can do. Anything not listed here every store does. */
public enum Capability {
  /** Full-text search. */
  SEARCH,
  /** Watching a session sees what other processes write. */
  WATCH_ACROSS_PROCESSES,
  /** Keeping items that are made when their position is known, as encryption needs it. */
  SEALED_ITEMS,
  /** Keeping sessions that nobody touches in less space. */
  COMPRESSION,
  /** A {@link Commit} with a document or a time to live is one atomic write. */
  ATOMIC_DOCUMENTS
}
