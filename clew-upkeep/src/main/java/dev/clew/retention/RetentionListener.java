package dev.clew.retention;

import dev.clew.spi.Compression;
import java.util.Optional;

/** Receives the progress of a run of {@link Retention}. Called by one thread. */
@FunctionalInterface
public interface RetentionListener {
  /** Does nothing. */
  RetentionListener NONE = verdict -> {};

  /** A session was removed, or would be. */
  void removed(Retention.Verdict verdict);

  /** A session was compressed, or would be; then nothing is known of what it saves. */
  default void compressed(Retention.Verdict verdict, Optional<Compression.Saving> saving) {}

  /** How many sessions were examined so far. */
  default void examined(long sessions) {}

  /** How many of the items are in the archive file. */
  default void archived(long items, long total) {}

  /** How many of the sessions to remove were processed. */
  default void progressed(long done, long total) {}

  /** How many of the sessions to compress were processed. */
  default void compressing(long done, long total) {}
}
