package dev.clew.sqlite;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;

/**
 * How a file is opened that must not be changed: by what it is, what is beside it, and what this
 * user may do. Immutable.
 *
 * <p>A file with a write-ahead log cannot simply be opened for reading: SQLite then makes a log and
 * a file of locks beside it, and leaves them there, where they may keep the owner of the file from
 * writing.
 */
final class ReadMode {
  /** Where the header says whether there is a write-ahead log, and what it says then. */
  private static final int FORMAT = 18;

  private static final int LOGGED = 2;

  private enum Kind {
    /** As those who write do: whoever closes last takes away what SQLite puts beside the file. */
    SHARED,
    /** What is beside the file is used and stays as it is. */
    READ_ONLY,
    /**
     * Without locks, because we may not make them. Nobody has the file open with a log; who opens
     * it later writes to a log first, so we only have to notice when that gets into the file.
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
    Path file = path.toRealPath(); // SQLite too looks for the log where the file really is
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

  /** Whether the connection itself is one that only reads. */
  boolean isReadOnly() {
    return kind != Kind.SHARED;
  }

  /** Whether it is read without locks. */
  boolean isUnlocked() {
    return kind == Kind.UNLOCKED;
  }

  /** After a read: whether what was read is from before and after a change. */
  boolean hasChanged() {
    try {
      return isUnlocked()
          && !(Files.size(file) == size && Files.getLastModifiedTime(file).equals(changed));
    } catch (IOException e) {
      return true;
    }
  }
}
