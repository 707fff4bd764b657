package dev.clew.migrate;

import dev.clew.Finding;

/** Receives the progress of a {@link Migration}: one call at a time, from several threads. */
public interface MigrationListener {
  /** Does nothing. */
  MigrationListener NONE = new MigrationListener() {};

  /** There are about that many sessions and items. */
  default void planned(long sessions, long items) {}

  /** Some more items are in the target, or were found there. */
  default void progressed(long items) {}

  /** A session is done with. */
  default void finished(SessionOutcome outcome) {}

  /** A document was not copied, because the target has another one of that name. */
  default void recordRefused(String owner, String name) {}

  /** A damaged item of the source was not copied. */
  default void unreadable(Finding finding) {}
}
