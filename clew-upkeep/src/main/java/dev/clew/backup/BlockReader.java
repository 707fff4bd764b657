package dev.clew.backup;

import dev.clew.ClewException;
import dev.clew.backup.Block.Kind;
import dev.clew.kit.Reasons;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Reads blocks of a backup, each checked against its checksum. Thread-safe.
 *
 * <p>What a file says of its own lengths is believed only as far as the file reaches.
 */
record BlockReader(FileChannel channel, Path file) {
  /** A block of a kind that must be there. */
  Block read(long offset, Kind expected) {
    Block block = read(offset, (MessageDigest) null);
    if (block.kind() != expected) {
      throw damaged(offset, "there is a block of another kind than " + expected);
    }
    return block;
  }

  /** Whatever block is there; its bytes go into the digest too. */
  Block read(long offset, @Nullable MessageDigest digest) {
    byte[] start = bytes(offset, Block.HEAD_BYTES);
    ByteBuffer head = ByteBuffer.wrap(start);
    Kind kind;
    try {
      kind = Kind.of(head.get());
    } catch (IllegalArgumentException e) {
      throw damaged(offset, "no block starts there");
    }
    int packed = head.getInt();
    int length = head.getInt();
    if (packed < 0 || length < 0 || length > Block.longest(packed)) {
      throw damaged(offset, "a block says it has " + packed + " bytes for " + length);
    }
    byte[] body = bytes(offset + Block.HEAD_BYTES, (long) packed + Block.CRC_BYTES);
    CRC32C crc = new CRC32C();
    crc.update(start);
    crc.update(body, 0, packed);
    if (ByteBuffer.wrap(body).getInt(packed) != (int) crc.getValue()) {
      throw damaged(offset, "the checksum of a block is wrong");
    }
    if (digest != null) {
      digest.update(start);
      digest.update(body);
    }
    String text = unpack(body, packed, length, offset);
    return new Block(kind, text, offset, offset + Block.HEAD_BYTES + packed + Block.CRC_BYTES);
  }

  private String unpack(byte[] packed, int packedLength, int length, long offset) {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(packed, 0, packedLength);
      byte[] text = new byte[length];
      int done = 0;
      while (done < length) {
        int more = inflater.inflate(text, done, length - done);
        if (more == 0) {
          throw damaged(offset, "a block is shorter than it says");
        }
        done += more;
      }
      return new String(text, StandardCharsets.UTF_8);
    } catch (DataFormatException e) {
      throw damaged(offset, "a block cannot be unpacked");
    } finally {
      inflater.end();
    }
  }

  /** Bytes that must be there. */
  byte[] bytes(long offset, long count) {
    try {
      if (offset < 0 || count > Integer.MAX_VALUE || offset + count > channel.size()) {
        throw damaged(Math.max(0, offset), "the file ends too early; it was cut off");
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) count);
      while (bytes.hasRemaining()) {
        if (channel.read(bytes, offset + bytes.position()) < 0) {
          throw damaged(offset, "the file ends too early; it was cut off");
        }
      }
      return bytes.array();
    } catch (IOException e) {
      throw new ClewException.StoreUnavailable(
          "backup " + file + " cannot be read at offset " + offset + " (" + Reasons.of(e) + ")", e);
    }
  }

  long size() {
    try {
      return channel.size();
    } catch (IOException e) {
      throw new ClewException.StoreUnavailable(
          "backup " + file + " cannot be read (" + Reasons.of(e) + ")", e);
    }
  }

  ClewException damaged(long offset, String why) {
    return new ClewException.CorruptRecord(
        String.format(
            "backup %s is damaged at offset %s: %s; use another copy of it", file, offset, why));
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It was only read; nothing depends on it.
    }
  }
}
