package dev.clew.jsonl;

import dev.clew.ClewException;
import dev.clew.ClewException.StoreUnavailable;
import dev.clew.kit.Reasons;
import dev.clew.kit.SameFile;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Whether the store may still acknowledge writes: not after a failed sync, nor after its folder was
 * removed or replaced. Thread-safe.
 *
 * <p>After a failed sync the content of the disk is unknown, and the next sync may succeed without
 * writing what the failed one left behind. So the store has to be opened again, which reads what is
 * really there.
 */
final class Health {
  private final Path folder;
  private final SameFile lock;
  private volatile @Nullable IOException failure;
  private volatile boolean gone;

  Health(Path folder, SameFile lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /** Fails if the folder is gone. */
  void requireFolder() {
    gone |= lock.isGone();
    refuseIfGone();
  }

  private void refuseIfGone() {
    if (gone) {
      throw new StoreUnavailable(
          "the folder "
              + folder
              + " was removed or replaced while it was open; start again with the right one,"
              + " nothing is written until then",
          null,
          false);
    }
  }

  /** Fails if a sync has failed or the folder is gone. */
  void requireWritable() {
    gone |= lock.isGoneNow();
    refuseIfGone();
    IOException before = failure;
    if (before != null) {
      throw new StoreUnavailable(
          String.format(
              "the JSONL store %s takes no writes since a sync failed (%s); check the disk, "
                  + "then close the store and open it again",
              folder, before.getMessage()),
          before,
          false);
    }
  }

  /** Work on files that is followed by a sync. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException;
  }

  /** Runs a sync; if it fails, nothing is acknowledged any more. */
  void sync(Path path, Work work) {
    try {
      work.run();
    } catch (IOException e) {
      failure = e;
      throw new StoreUnavailable(
          String.format(
              "cannot sync %s: %s; nothing of this call is acknowledged and the store takes "
                  + "no more writes; check the disk, then close the store and open it again",
              path, e.getMessage()),
          e,
          false);
    }
  }

  /** The error for a file that cannot be read. */
  static ClewException unreadable(Path path, IOException cause) {
    return new StoreUnavailable("cannot read " + path + ": " + Reasons.of(cause), cause);
  }

  /** The error for a write that was undone. */
  static ClewException unwritable(Path path, IOException cause) {
    return new StoreUnavailable(
        "cannot write %s: %s; nothing of this call was kept, repeat it when there is space"
            .formatted(path, Reasons.of(cause)),
        cause);
  }
}
