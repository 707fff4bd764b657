package dev.clew.retention;

import dev.clew.spi.Compression;
import java.util.Optional;

/** Is told how a run of {@link Retention} goes on. Called by one thread. */
@FunctionalInterface
public interface RetentionListener {
  /** Hears nothing. */
  RetentionListener NONE = verdict -> {};

  /** A session goes, or would. */
  void removed(Retention.Verdict verdict);

  /** A session was compressed, or would be; then nothing is known of what it saves. */
  default void compressed(Retention.Verdict verdict, Optional<Compression.Saving> saving) {}

  /** So many sessions were looked at so far. */
  default void examined(long sessions) {}

  /** So many of these items are in the archive. */
  default void archived(long items, long total) {}

  /** So many of those that go were gone through. */
  default void progressed(long done, long total) {}

  /** So many of those that are compressed were gone through. */
  default void compressing(long done, long total) {}
}
