package dev.clew.backup;

import dev.clew.ClewException;
import dev.clew.kit.PrivateFiles;
import dev.clew.kit.Reasons;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file that is not there until it is complete: it is written beside under a name of its own, for
 * the user alone, and renamed at the end. Used by one thread. What a killed process leaves is
 * overwritten by the next.
 */
record PartFile(Path file, Path part, FileChannel channel) implements AutoCloseable {
  static final String SUFFIX = ".part";

  static PartFile of(Path file) {
    Path part = file.resolveSibling(file.getFileName() + SUFFIX);
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      FileChannel channel =
          FileChannel.open(
              part,
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
              PrivateFiles.file(part));
      if (lock(channel) == null) {
        channel.close();
        throw new ClewException.StoreUnavailable(
            "another process is writing " + part + "; wait for it", null);
      }
      channel.truncate(0);
      return new PartFile(file, part, channel);
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // another thread of this process
    }
  }

  /** Removes what a killed process left, unless one is still at it. */
  static void removeLeftover(Path part) throws IOException {
    try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
      if (lock(channel) != null) {
        Files.deleteIfExists(part);
      }
    }
  }

  static ClewException unwritable(Path file, IOException e) {
    return new ClewException.StoreUnavailable(
        String.format(
            "backup %s cannot be written (%s); what was there before is unchanged, "
                + "run it again when that is fixed",
            file, Reasons.of(e)),
        e);
  }

  /** Puts the file in its place, for good. */
  void publish() throws IOException {
    channel.force(true);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null && !System.getProperty("os.name", "").startsWith("Windows")) {
      try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
        directory.force(true);
      }
    }
  }

  /** Without {@link #publish} nothing is left. */
  @Override
  public void close() {
    try {
      Files.deleteIfExists(part);
      channel.close();
    } catch (IOException e) {
      // The next backup overwrites it.
    }
  }
}
