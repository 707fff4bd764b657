package dev.clew.migrate;

import dev.clew.Finding;
import java.util.function.Consumer;

/** Is told how a {@link Migration} goes on: one call at a time, from several threads. */
public interface MigrationListener {
  /** Hears nothing. */
  MigrationListener NONE = new MigrationListener() {};

  /** There are about that many sessions and items. */
  default void planned(long sessions, long items) {}

  /** Some more items are in the target, or were found there. */
  default void progressed(long items) {}

  /** A session is done with. */
  default void finished(SessionOutcome outcome) {}

  /** A document beside the sessions was not moved. */
  default void recordRefused(String owner, String name) {}

  /** A damaged record of the source was left behind. */
  default void unreadable(Finding finding) {}

  /** Hears of sessions only. */
  static MigrationListener of(Consumer<SessionOutcome> finished) {
    return new MigrationListener() {
      @Override
      public void finished(SessionOutcome outcome) {
        finished.accept(outcome);
      }
    };
  }
}
