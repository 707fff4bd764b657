package dev.clew.sqlite;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;

/**
 * How to open a file that must not change, depending on the file, its log and the permissions.
 * Immutable.
 *
 * <p>A file with a write-ahead log cannot simply be opened read-only: SQLite would create a log and
 * a lock file next to it and leave them there, where they may keep the owner of the file from
 * writing.
 */
final class ReadMode {
  /** Where the header tells whether there is a write-ahead log, and the value for that. */
  private static final int FORMAT = 18;

  private static final int LOGGED = 2;

  private enum Kind {
    /** As writers do: whoever closes last removes the files that SQLite creates. */
    SHARED,
    /** The files next to it are used and stay. */
    READ_ONLY,
    /**
     * Without locks, because we may not create them. Nobody has the file open with a log, and a
     * later writer writes to a log first; so we only have to notice a change of the file itself.
     */
    UNLOCKED
  }

  private final Path file;
  private final Kind kind;
  private final FileTime changed;
  private final long size;

  private ReadMode(Path file, Kind kind) throws IOException {
    this.file = file;
    this.kind = kind;
    this.changed = Files.getLastModifiedTime(file);
    this.size = Files.size(file);
  }

  static ReadMode of(Path path) throws IOException {
    Path file = path.toRealPath(); // where SQLite looks for the log
    return new ReadMode(file, kind(file));
  }

  private static Kind kind(Path file) throws IOException {
    if (!isLogged(file) || hasContent(Path.of(file + "-wal"))) {
      return Kind.READ_ONLY;
    }
    Path folder = file.getParent();
    boolean writable = Files.isWritable(file) && folder != null && Files.isWritable(folder);
    return writable ? Kind.SHARED : Kind.UNLOCKED;
  }

  private static boolean isLogged(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] header = in.readNBytes(FORMAT + 2);
      return header.length == FORMAT + 2 && header[FORMAT + 1] == LOGGED;
    }
  }

  private static boolean hasContent(Path log) throws IOException {
    return Files.exists(log) && Files.size(log) > 0;
  }

  /** Whether the connection is read-only. */
  boolean isReadOnly() {
    return kind != Kind.SHARED;
  }

  /** Whether it is opened without locks. */
  boolean isUnlocked() {
    return kind == Kind.UNLOCKED;
  }

  /** Called after a read: whether the file changed meanwhile. */
  boolean hasChanged() {
    try {
      return isUnlocked()
          && !(Files.size(file) == size && Files.getLastModifiedTime(file).equals(changed));
    } catch (IOException e) {
      return true;
    }
  }
}
