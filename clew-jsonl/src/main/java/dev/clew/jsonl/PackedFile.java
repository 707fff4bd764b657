package dev.clew.jsonl;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A compressed file of a session, read as if it were plain. Not thread-safe: used under the lock of
 * its session.
 *
 * <p>Any gzip program can decompress it. It consists of gzip members, each with one block of the
 * plain file, and an empty one whose extra field {@code CL} is an index, so that the end can be
 * read alone:
 *
 * <pre>
 * member | member | … | 1f 8b 08 04 … "CL" [block size, plain size, member sizes…, CRC, length, "CLEW"] 03 00 0…
 * </pre>
 *
 * A file without an index, compressed by another program, is read as a whole.
 */
final class PackedFile implements Disk.File {
  /** Small, because lists of sessions read the last block of each. */
  static final int BLOCK = 64 << 10;

  /** An extra field has at most 65,535 bytes. */
  private static final int MOST_BLOCKS = 16_000;

  private static final int MAX_WHOLE = Integer.MAX_VALUE - 16;
  private static final byte[] MAGIC = "CLEW".getBytes(StandardCharsets.US_ASCII);

  /** An empty gzip member after its header. */
  private static final byte[] NOTHING = {3, 0, 0, 0, 0, 0, 0, 0, 0, 0};

  /** Length of the index member and {@link #MAGIC}. */
  private static final int FOOT = 8;

  private static final int HEADER = 10;
  private static final int FIELD_HEADER = 4;
  private static final int INDEX_HEADER = HEADER + Short.BYTES + FIELD_HEADER;

  /** Block size, size of the plain file, checksum. */
  private static final int LEAST_NUMBERS = Integer.BYTES + Long.BYTES + Integer.BYTES;

  private final Disk.File file;
  private final Index index;
  private int current = -1;
  private byte[] block = new byte[0];
  private Disk.@Nullable File plain;

  /** Where the members are. Immutable. */
  private static final class Index {
    final int blockSize;
    final long size;

    /** Where the member of each block ends. */
    final long[] ends;

    Index(int blockSize, long size, long[] ends) {
      this.blockSize = blockSize;
      this.size = size;
      this.ends = ends;
    }

    int length(int number) {
      return (int) Math.min(blockSize, size - (long) number * blockSize);
    }
  }

  private PackedFile(Disk.File file, Index index) {
    this.file = file;
    this.index = index;
  }

  /** Opens a session's file, compressed or not. */
  static Disk.File open(Path path, Disk disk) throws IOException {
    Disk.File file = disk.open(path, false);
    if (!Folders.isPacked(path)) {
      return file;
    }
    PackedFile packed = null;
    try {
      packed = of(file);
      return packed;
    } finally {
      if (packed == null) {
        file.close();
      }
    }
  }

  /** Reads an open file that is compressed. */
  static PackedFile of(Disk.File file) throws IOException {
    Index index = index(file);
    return index == null ? whole(file) : new PackedFile(file, index);
  }

  private static @Nullable Index index(Disk.File file) throws IOException {
    long size = file.size();
    int end = FOOT + NOTHING.length;
    ByteBuffer foot = numbers(read(file, Math.max(0, size - end), (int) Math.min(size, end)));
    if (foot.remaining() < end || !ends(foot)) {
      return null;
    }
    int length = foot.getInt(0);
    if (length < INDEX_HEADER + LEAST_NUMBERS + end || length > 1 << 17 || length > size) {
      return null;
    }
    ByteBuffer member = numbers(read(file, size - length, length - end));
    member.position(INDEX_HEADER);
    ByteBuffer payload = member.slice().order(ByteOrder.LITTLE_ENDIAN);
    int numbers = payload.remaining() - Integer.BYTES;
    if (payload.getInt(numbers) != crc(payload, 0, numbers)) {
      return null;
    }
    int blockSize = payload.getInt();
    long plain = payload.getLong();
    long[] ends = new long[(numbers - payload.position()) / Integer.BYTES];
    boolean sound =
        blockSize > 0 && plain >= 0 && (plain + blockSize - 1) / blockSize == ends.length;
    long at = 0;
    for (int i = 0; i < ends.length; i++) {
      int part = payload.getInt();
      sound &= part > 0;
      at += part;
      ends[i] = at;
    }
    return sound && at == size - length ? new Index(blockSize, plain, ends) : null;
  }

  private static boolean ends(ByteBuffer foot) {
    byte[] wanted = new byte[MAGIC.length + NOTHING.length];
    System.arraycopy(MAGIC, 0, wanted, 0, MAGIC.length);
    System.arraycopy(NOTHING, 0, wanted, MAGIC.length, NOTHING.length);
    return ByteBuffer.wrap(wanted).equals(foot.slice(FOOT - MAGIC.length, wanted.length));
  }

  private static int crc(ByteBuffer bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(from, length));
    return (int) crc.getValue();
  }

  private static byte[] read(Disk.File file, long at, int length) throws IOException {
    byte[] bytes = new byte[length];
    file.read(ByteBuffer.wrap(bytes), at);
    return bytes;
  }

  private static ByteBuffer numbers(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static PackedFile whole(Disk.File file) throws IOException {
    if (file.size() > MAX_WHOLE) {
      throw new IOException("it has no index and is too large to be read as a whole");
    }
    byte[] plain = inflate(read(file, 0, (int) file.size()), 0, MAX_WHOLE);
    PackedFile packed =
        new PackedFile(
            file, new Index(Math.max(1, plain.length), plain.length, new long[] {file.size()}));
    packed.block = plain;
    packed.current = 0;
    return packed;
  }

  private static byte[] inflate(byte[] packed, long at, int most) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      byte[] plain = in.readNBytes(most);
      if (in.read() >= 0) {
        throw new IOException("there is more in it than it says");
      }
      return plain;
    } catch (IOException e) {
      throw damaged(at, e.getMessage(), e);
    }
  }

  private static IOException damaged(long at, @Nullable String how, @Nullable Exception cause) {
    return new IOException(
        String.format(
            "the compressed file is damaged in the part that begins at byte %s (%s); nothing "
                + "of it was changed: put back a good copy, or remove it",
            at, how),
        cause);
  }

  /** Continues with the plain file, which has the same content at the same offsets. */
  void continueWith(Disk.File unpacked) throws IOException {
    plain = unpacked;
    block = new byte[0];
    file.close();
  }

  private Disk.File plain() {
    return Objects.requireNonNull(plain, "a compressed file is unpacked before it is written to");
  }

  @Override
  public long size() throws IOException {
    return plain == null ? index.size : plain.size();
  }

  @Override
  public void read(ByteBuffer to, long at) throws IOException {
    if (plain != null) {
      plain.read(to, at);
      return;
    }
    long place = at;
    while (to.hasRemaining() && place < index.size) {
      load((int) (place / index.blockSize));
      int from = (int) (place % index.blockSize);
      int count = Math.min(to.remaining(), block.length - from);
      to.put(block, from, count);
      place += count;
    }
  }

  private void load(int number) throws IOException {
    if (number == current) {
      return;
    }
    long from = number == 0 ? 0 : index.ends[number - 1];
    byte[] packed = read(file, from, (int) (index.ends[number] - from));
    byte[] plain = inflate(packed, from, index.blockSize);
    if (plain.length != index.length(number)) {
      throw damaged(from, "it has " + plain.length + " bytes", null);
    }
    block = plain;
    current = number;
  }

  @Override
  public void write(ByteBuffer from, long at) throws IOException {
    plain().write(from, at);
  }

  @Override
  public void sync() throws IOException {
    plain().sync();
  }

  @Override
  public void truncate(long size) throws IOException {
    plain().truncate(size);
  }

  @Override
  public void close() throws IOException {
    (plain == null ? file : plain).close();
  }

  /** Compresses one file into another. */
  static void pack(Disk.File from, Disk.File to) throws IOException {
    long size = from.size();
    int blockSize = BLOCK;
    while (size / blockSize >= MOST_BLOCKS) {
      blockSize *= 2;
    }
    List<Integer> lengths = new ArrayList<>();
    long end = 0;
    for (long at = 0; at < size; at += blockSize) {
      byte[] plain = read(from, at, (int) Math.min(blockSize, size - at));
      ByteArrayOutputStream member = new ByteArrayOutputStream(blockSize / 2);
      try (GZIPOutputStream out = new GZIPOutputStream(member)) {
        out.write(plain);
      }
      to.write(ByteBuffer.wrap(member.toByteArray()), end);
      lengths.add(member.size());
      end += member.size();
    }
    to.write(indexMember(blockSize, size, lengths), end);
  }

  private static ByteBuffer indexMember(int blockSize, long size, List<Integer> lengths) {
    int numbers = Integer.BYTES + Long.BYTES + Integer.BYTES * lengths.size();
    int payload = numbers + Integer.BYTES + FOOT;
    int length = INDEX_HEADER + payload + NOTHING.length;
    ByteBuffer member = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    member.put(new byte[] {0x1f, (byte) 0x8b, 8, 4, 0, 0, 0, 0, 0, (byte) 0xff});
    member.putShort((short) (FIELD_HEADER + payload)).put((byte) 'C').put((byte) 'L');
    member.putShort((short) payload);
    int start = member.position();
    member.putInt(blockSize).putLong(size);
    lengths.forEach(member::putInt);
    member.putInt(crc(member, start, numbers));
    member.putInt(length).put(MAGIC).put(NOTHING);
    return member.flip();
  }
}
