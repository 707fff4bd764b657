package dev.clew.sqlite;

import dev.clew.Opening;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** The settings of an open store. Immutable. */
record SqliteOptions(
    String path,
    Names names,
    Synchronous synchronous,
    Duration busyTimeout,
    Optional<Duration> timeToLive,
    long cacheBytes,
    Clock clock,
    Opening opening) {
  static final String MEMORY = ":memory:";

  /** Whether the file must not be written; a database in memory has no other users. */
  boolean readOnly() {
    return opening.isReadOnly() && !inMemory();
  }

  boolean inMemory() {
    return path.equals(MEMORY);
  }

  String where() {
    return inMemory() ? "SQLite store in memory" : "SQLite store " + path;
  }
}
