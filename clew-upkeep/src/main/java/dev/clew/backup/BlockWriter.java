package dev.clew.backup;

import dev.clew.ClewException;
import dev.clew.backup.Block.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;

/** Writes blocks one behind the other. Not thread-safe. */
final class BlockWriter {
  /** Makes 29.4 % of the text of messages, where the usual 6 makes 28.9 % with more work. */
  private static final int LEVEL = 4;

  private final FileChannel channel;
  private final Deflater deflater = new Deflater(LEVEL);
  private long position;

  BlockWriter(FileChannel channel, long position) {
    this.channel = channel;
    this.position = position;
  }

  /** Where the next block will start. */
  long position() {
    return position;
  }

  /** Writes a block; where it starts. */
  long write(Kind kind, CharSequence lines) {
    byte[] text = lines.toString().getBytes(StandardCharsets.UTF_8);
    if (text.length > Block.LONGEST) {
      throw new ClewException.LimitExceeded(
          "an item of %s bytes does not fit into a backup; the limit is %s"
              .formatted(text.length, Block.LONGEST));
    }
    byte[] packed = pack(text);
    ByteBuffer block =
        ByteBuffer.allocate(Block.HEAD_BYTES + packed.length + Block.CRC_BYTES)
            .put(kind.letter())
            .putInt(packed.length)
            .putInt(text.length)
            .put(packed);
    CRC32C crc = new CRC32C();
    crc.update(block.array(), 0, block.position());
    block.putInt((int) crc.getValue()).flip();
    long start = position;
    put(block);
    return start;
  }

  private byte[] pack(byte[] text) {
    deflater.reset();
    deflater.setInput(text);
    deflater.finish();
    byte[] packed = new byte[Math.max(64, text.length / 2)];
    int length = 0;
    while (!deflater.finished()) {
      if (length == packed.length) {
        packed = Arrays.copyOf(packed, packed.length * 2);
      }
      length += deflater.deflate(packed, length, packed.length - length);
    }
    return Arrays.copyOf(packed, length);
  }

  /** Writes bytes that are no block. */
  void put(ByteBuffer bytes) {
    try {
      while (bytes.hasRemaining()) {
        position += channel.write(bytes, position);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes back what was written from there on. */
  void goBack(long to) {
    try {
      channel.truncate(to);
      position = to;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Nothing can be written afterwards. */
  void end() {
    deflater.end();
  }
}
