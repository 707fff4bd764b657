package dev.clew.crypto;

import dev.clew.ClewException.StoreUnavailable;
import dev.clew.kit.Reasons;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file with master keys that only its user may read. Thread-safe.
 *
 * <pre>
 * clew.key                            the keys
 * clew.key.new                        its replacement, while it is written
 * clew.key.retired-20261117T094500Z   the keys as they were before one was retired
 * </pre>
 *
 * <p>A process that is killed while it writes leaves {@code clew.key.new} with secrets in it. The
 * next user of the file removes it, unless a writer holds the lock on the file.
 */
record KeyFile(Path path) {
  private static final Set<PosixFilePermission> ITS_USER =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  /** Closing any descriptor of a file frees all locks that a process has on it. */
  private static final Object ONE_AT_A_TIME = new Object();

  String read() {
    synchronized (ONE_AT_A_TIME) {
      removeLeftover();
      return read(path);
    }
  }

  private static String read(Path path) {
    try {
      for (PosixFilePermission given : Files.getPosixFilePermissions(path)) {
        if (!ITS_USER.contains(given)) {
          throw new StoreUnavailable(
              String.format(
                  "others may read or run the key file %s; run: chmod 600 '%s', and rotate "
                      + "the keys if somebody may have read them",
                  path, path),
              null,
              false);
        }
      }
      return Files.readString(path);
    } catch (NoSuchFileException e) {
      throw new StoreUnavailable(
          String.format(
              "there is no key file %s; bring it back from where you keep a copy, or make "
                  + "one for a new store: clew key create --key file:%s",
              path, path),
          e,
          false);
    } catch (IOException e) {
      throw new StoreUnavailable(
          "cannot read the key file " + path + ": " + Reasons.of(e), e, false);
    } catch (UnsupportedOperationException e) {
      throw new StoreUnavailable(
          "cannot see who may read the key file " + path + " on this file system", e, false);
    }
  }

  /** Writes the first keyset; fails if the file exists. */
  void create(String keyset) {
    synchronized (ONE_AT_A_TIME) {
      try {
        writeNew(path, keyset);
      } catch (FileAlreadyExistsException e) {
        throw new IllegalArgumentException(
            "there is a key file " + path + " already; rotate its keys, or name another", e);
      } catch (IOException e) {
        throw unwritable(path, e);
      }
    }
  }

  /** Replaces the keyset atomically. */
  void replace(String keyset) {
    synchronized (ONE_AT_A_TIME) {
      try (FileChannel held = lock(true)) {
        Objects.requireNonNull(held);
        Files.deleteIfExists(next());
        try {
          writeNew(next(), keyset);
          Files.move(next(), path, StandardCopyOption.ATOMIC_MOVE);
        } finally {
          Files.deleteIfExists(next());
        }
      } catch (IOException e) {
        throw unwritable(path, e);
      }
    }
  }

  /** Copies the keyset to a file of its own; returns that file. */
  Path keep(Instant now) {
    synchronized (ONE_AT_A_TIME) {
      String keyset = read(path);
      Path kept = path.resolveSibling(keptPrefix() + TIME.format(now));
      for (int i = 2; Files.exists(kept); i++) {
        kept = path.resolveSibling(keptPrefix() + TIME.format(now) + "-" + i);
      }
      try {
        writeNew(kept, keyset);
        return kept;
      } catch (IOException e) {
        throw unwritable(kept, e);
      }
    }
  }

  /** The existing files that {@link #keep} has written, newest first. */
  List<Path> kept() {
    List<Path> found = new ArrayList<>();
    Path folder = Objects.requireNonNull(path.toAbsolutePath().getParent());
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(
            folder, file -> file.getFileName().toString().startsWith(keptPrefix()))) {
      files.forEach(found::add);
    } catch (IOException e) {
      throw new StoreUnavailable(
          "cannot look for retired keys in " + folder + ": " + Reasons.of(e), e, false);
    }
    found.sort((one, other) -> other.compareTo(one));
    return found;
  }

  private String keptPrefix() {
    return path.getFileName() + ".retired-";
  }

  private Path next() {
    return path.resolveSibling(path.getFileName() + ".new");
  }

  /** Removes what a killed writer left. */
  private void removeLeftover() {
    if (!Files.exists(next())) {
      return;
    }
    try (FileChannel held = lock(false)) {
      if (held != null) {
        Files.deleteIfExists(next());
      }
    } catch (IOException e) {
      // We may not write here; another user of the file will remove it.
    }
  }

  /**
   * Locks the file.
   *
   * @param wait whether to wait for another process
   * @return null if another process has the lock
   */
  private @Nullable FileChannel lock(boolean wait) throws IOException {
    while (true) {
      @Nullable Object before = identity();
      FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE);
      boolean keep = false;
      try {
        FileLock lock = wait ? channel.lock() : channel.tryLock();
        if (lock == null) {
          return null;
        }
        // The previous holder of the lock may have replaced the file.
        keep = Objects.equals(before, identity());
        if (keep) {
          return channel;
        }
      } finally {
        if (!keep) {
          channel.close();
        }
      }
    }
  }

  private @Nullable Object identity() throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  private static void writeNew(Path file, String keyset) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(ITS_USER))) {
      ByteBuffer bytes = ByteBuffer.wrap(keyset.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  private static StoreUnavailable unwritable(Path path, IOException e) {
    return new StoreUnavailable(
        "cannot write the key file " + path + ": " + Reasons.of(e), e, false);
  }
}
