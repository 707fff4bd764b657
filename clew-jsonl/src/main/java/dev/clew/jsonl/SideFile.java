package dev.clew.jsonl;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small file of sealed lines next to the sessions, each line a change of its own. Not
 * thread-safe: used under the lock of what it holds.
 */
final class SideFile {
  private static final Logger LOG = LoggerFactory.getLogger(SideFile.class);

  private static final long MIN_GROWN = 64 << 10;

  private final Path path;
  private final Disk disk;
  private final Health health;
  private long end;
  private int damaged;
  private long grown = MIN_GROWN;

  SideFile(Path path, Disk disk, Health health) {
    this.path = path;
    this.disk = disk;
    this.health = health;
  }

  long size() {
    return end;
  }

  /** Whether it should be rewritten: it has doubled since it last was. */
  boolean isGrown() {
    return end > grown;
  }

  /** How many damaged lines were read. */
  int damaged() {
    return damaged;
  }

  /** Reads all lines except damaged and incomplete ones. */
  List<Line> read() {
    List<Line> lines = new ArrayList<>();
    if (!Files.exists(path)) {
      return lines;
    }
    try {
      LineScanner.Found found = LineScanner.scan(Files.readAllBytes(path));
      end = found.end();
      damaged = 0;
      for (LineScanner.Piece piece : found.pieces()) {
        Line line = piece.line();
        if (line == null) {
          damaged++;
        } else {
          lines.add(line);
        }
      }
      if (damaged > 0) {
        LOG.warn("{} has {} damaged lines, which are left out", path, damaged);
      }
    } catch (IOException e) {
      throw Health.unreadable(path, e);
    }
    return lines;
  }

  /** Appends a line, given without its closing brace. */
  void append(CharSequence open, boolean sync) {
    health.requireWritable();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Line.seal(open, bytes);
    boolean isNew = end == 0;
    try (Disk.File file = disk.open(path, true)) {
      try {
        if (file.size() > end) {
          file.truncate(end);
        }
        file.write(ByteBuffer.wrap(bytes.toByteArray()), end);
      } catch (IOException e) {
        health.sync(path, () -> file.truncate(end));
        throw Health.unwritable(path, e);
      }
      if (sync) {
        health.sync(path, file::sync);
      }
      if (sync && isNew) {
        health.sync(path, () -> disk.syncFolder(folder()));
      }
    } catch (IOException e) {
      throw Health.unwritable(path, e);
    }
    end += bytes.size();
  }

  /** Replaces all lines. */
  void rewrite(List<? extends CharSequence> lines) {
    health.requireWritable();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    lines.forEach(line -> Line.seal(line, bytes));
    replace(path, bytes.toByteArray(), disk, health);
    end = bytes.size();
    grown = Math.max(MIN_GROWN, 2 * end);
  }

  /** Replaces a file atomically. */
  static void replace(Path path, byte[] bytes, Disk disk, Health health) {
    write(path, disk, health, file -> file.write(ByteBuffer.wrap(bytes), 0));
    moveIntoPlace(path, disk, health);
  }

  @FunctionalInterface
  interface Content {
    void writeTo(Disk.File file) throws IOException;
  }

  /** Writes the replacement of a file next to it. */
  static void write(Path path, Disk disk, Health health, Content content) {
    Path temporary = temporary(path);
    try (Disk.File file = disk.open(temporary, true)) {
      file.truncate(0);
      content.writeTo(file);
      health.sync(temporary, file::sync);
    } catch (IOException e) {
      drop(temporary, disk, e);
      throw Health.unwritable(path, e);
    } catch (RuntimeException e) {
      drop(temporary, disk, e);
      throw e;
    }
  }

  private static void drop(Path temporary, Disk disk, Exception reason) {
    try {
      disk.delete(temporary);
    } catch (IOException left) {
      reason.addSuppressed(left);
    }
  }

  /** Replaces a file by what was written next to it. */
  static void moveIntoPlace(Path path, Disk disk, Health health) {
    health.sync(
        path,
        () -> {
          disk.rename(temporary(path), path);
          disk.syncFolder(Folders.parent(path));
        });
  }

  /** Where the replacement of a file is written. */
  static Path temporary(Path path) {
    return path.resolveSibling(path.getFileName() + Names.TEMPORARY);
  }

  private Path folder() {
    return Folders.parent(path);
  }

  void delete() {
    health.requireWritable();
    try {
      disk.delete(path);
    } catch (IOException e) {
      throw Health.unwritable(path, e);
    }
    end = 0;
    grown = MIN_GROWN;
    if (Files.isDirectory(folder())) {
      health.sync(path, () -> disk.syncFolder(folder()));
    }
  }
}
