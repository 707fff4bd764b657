package dev.clew;

/** Optional capabilities. Every store can do everything that is not listed here. */
public enum Capability {
  /** Full-text search. */
  SEARCH,
  /** Watching a session sees what other processes write. */
  WATCH_ACROSS_PROCESSES,
  /** Storing items that are encoded when their position is known, which encryption needs. */
  SEALED_ITEMS,
  /** Storing idle sessions in less space. */
  COMPRESSION,
  /** A {@link Commit} with a document or a time to live is one atomic write. */
  ATOMIC_DOCUMENTS
}
