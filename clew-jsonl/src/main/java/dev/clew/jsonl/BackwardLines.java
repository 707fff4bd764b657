package dev.clew.jsonl;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a file from the last to the first, read in blocks that grow. Not thread-safe.
 *
 * <p>Throws {@link NeedsFullReplay} at a line without a valid checksum.
 */
final class BackwardLines {
  private static final int FIRST_BLOCK = 16 << 10;
  private static final int MAX_BLOCK = 1 << 20;
  private static final int LINE_BLOCK = 1 << 10;

  private final Disk.File file;
  private byte[] buffer = new byte[0];

  /** Where in the file the buffer starts. */
  private long start;

  /** The end of the part of the buffer that was not returned yet. */
  private int limit;

  private int block = FIRST_BLOCK;

  BackwardLines(Disk.File file, long size) throws IOException {
    this.file = file;
    this.start = size;
    if (size > 0) {
      readBlock();
    }
    if (limit == 0 || buffer[limit - 1] != '\n') {
      throw new NeedsFullReplay();
    }
  }

  private void readBlock() throws IOException {
    long from = Math.max(0, start - block);
    int count = (int) (start - from);
    byte[] larger = new byte[count + limit];
    file.read(ByteBuffer.wrap(larger, 0, count), from);
    System.arraycopy(buffer, 0, larger, count, limit);
    buffer = larger;
    limit += count;
    start = from;
    block = Math.min(block * 2, MAX_BLOCK);
  }

  /** The line before the one returned last; null at the start of the file. */
  @Nullable Line previous() throws IOException {
    int from = lineStart();
    while (from < 0 && start > 0) {
      readBlock();
      from = lineStart();
    }
    if (limit == 0) {
      return null;
    }
    from = Math.max(0, from);
    Line line = Line.sealed(buffer, from, limit - 1, start + from);
    if (line == null) {
      throw new NeedsFullReplay();
    }
    limit = from;
    return line;
  }

  /** Where the last line of the buffer starts; -1 if before the buffer. */
  private int lineStart() {
    int at = limit - 2;
    while (at >= 0 && buffer[at] != '\n') {
      at--;
    }
    return at >= 0 ? at + 1 : -1;
  }

  /** The line that starts at an offset. */
  Line at(long offset) throws IOException {
    int size = LINE_BLOCK;
    while (true) {
      byte[] bytes = new byte[size];
      ByteBuffer into = ByteBuffer.wrap(bytes);
      file.read(into, offset);
      int end = 0;
      while (end < into.position() && bytes[end] != '\n') {
        end++;
      }
      if (end < into.position()) {
        Line line = Line.sealed(bytes, 0, end, offset);
        if (line == null) {
          throw new NeedsFullReplay();
        }
        return line;
      }
      if (into.hasRemaining()) {
        throw new NeedsFullReplay();
      }
      size = Math.multiplyExact(size, 4);
    }
  }
}
