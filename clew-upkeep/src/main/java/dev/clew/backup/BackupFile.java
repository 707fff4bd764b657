package dev.clew.backup;

import dev.clew.ClewException;
import dev.clew.SessionKey;
import dev.clew.backup.Block.Kind;
import dev.clew.json.Json;
import dev.clew.kit.Reasons;
import dev.clew.kit.Sha256;
import dev.clew.kit.TextOrder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One file of a backup, opened: its head, its end and where each owner's things are. Thread-safe.
 *
 * <pre>
 * CLEW-BACKUP 2\n  HEAD  ENTRIES… SESSION  …  RECORDS… OWNER…  …  INDEX…  END  offset of END  CLEW-END
 * </pre>
 */
final class BackupFile {
  /** Stands at the beginning, followed by the format and a line end. */
  static final String MAGIC = "CLEW-BACKUP ";

  /** Stands at the very end, behind the offset of the last block. */
  static final byte[] LAST = "CLEW-END".getBytes(StandardCharsets.US_ASCII);

  static final int TAIL_BYTES = Long.BYTES + LAST.length;

  private final BlockReader reader;
  private final BackupHead head;
  private final BackupTotals totals;
  private final long endOffset;
  private final String digest;
  private final NavigableMap<String, List<Long>> owners = new TreeMap<>(TextOrder.BY_CODE_POINT);

  private BackupFile(BlockReader reader) {
    this.reader = reader;
    long start = checkMagic();
    long size = reader.size();
    ByteBuffer tail = ByteBuffer.wrap(reader.bytes(Math.max(start, size - TAIL_BYTES), TAIL_BYTES));
    endOffset = tail.getLong();
    byte[] last = new byte[LAST.length];
    tail.get(last);
    if (!Arrays.equals(last, LAST)) {
      throw reader.damaged(
          size, "the file does not end as a backup does; it was cut off or is still being written");
    }
    head = parse(reader.read(start, Kind.HEAD), BackupHead::parse);
    Block end = reader.read(endOffset, Kind.END);
    if (end.end() + TAIL_BYTES != size) {
      throw reader.damaged(end.end(), "there is something behind the end");
    }
    Map<String, String> fields = parse(end, Json::fields);
    digest = parse(end, text -> Lines.text(Lines.raw(fields, "sha256")));
    totals = parse(end, text -> BackupTotals.parse(fields));
    for (long offset : parse(end, text -> offsets(Lines.raw(fields, "index")))) {
      Block index = reader.read(offset, Kind.INDEX);
      for (String line : Lines.split(index.text())) {
        parse(index, text -> addOwner(line));
      }
    }
  }

  private boolean addOwner(String line) {
    Map<String, String> fields = Json.fields(line);
    String owner = Lines.text(Lines.raw(fields, "owner"));
    SessionKey.checkOwner(owner);
    owners.put(owner, offsets(Lines.raw(fields, "at")));
    return true;
  }

  private static List<Long> offsets(String array) {
    return Json.elements(array).stream().map(Long::parseLong).toList();
  }

  /** What the file is checked for first, so that the error says what it is not. */
  private long checkMagic() {
    long size = reader.size();
    int most = MAGIC.length() + 12;
    String start = new String(reader.bytes(0, Math.min(size, most)), StandardCharsets.US_ASCII);
    if (size == 0) {
      throw refused("is empty; it is no backup");
    }
    if (!start.startsWith(MAGIC)) {
      throw refused("is no backup of Clew: it does not begin with '" + MAGIC.strip() + "'");
    }
    int end = start.indexOf('\n');
    String format = end < 0 ? "" : start.substring(MAGIC.length(), end);
    if (!format.equals("1") && !format.equals(String.valueOf(BackupHead.FORMAT))) {
      throw refused(
          String.format(
              "has format '%s', this Clew reads formats up to %s; use the version of "
                  + "Clew that wrote it, or a newer one",
              format, BackupHead.FORMAT));
    }
    return end + 1L;
  }

  private ClewException refused(String why) {
    return new ClewException.StoreUnavailable("file " + reader.file() + " " + why, null, false);
  }

  /**
   * Opens a file and checks its beginning, its end and its index.
   *
   * @throws ClewException saying what is wrong with it and where
   */
  static BackupFile open(Path path) {
    FileChannel channel;
    try {
      if (Files.isDirectory(path)) {
        throw new ClewException.StoreUnavailable(
            "backup " + path + " is a folder; name a file in it", null, false);
      }
      channel = FileChannel.open(path, StandardOpenOption.READ);
    } catch (NoSuchFileException e) {
      throw new ClewException.StoreUnavailable("backup " + path + " does not exist", e, false);
    } catch (IOException e) {
      throw new ClewException.StoreUnavailable(
          "backup " + path + " cannot be opened (" + Reasons.of(e) + ")", e, false);
    }
    BlockReader reader = new BlockReader(channel, path);
    try {
      return new BackupFile(reader);
    } catch (RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  Path path() {
    return reader.file();
  }

  BackupHead head() {
    return head;
  }

  BackupTotals totals() {
    return totals;
  }

  Block read(long offset, Kind kind) {
    return reader.read(offset, kind);
  }

  NavigableMap<String, List<Long>> owners() {
    return Collections.unmodifiableNavigableMap(owners);
  }

  /** Where everything of an owner is; nothing if the backup has none of that name. */
  @Nullable OwnerIndex owner(String owner) {
    List<Long> offsets = owners.get(owner);
    if (offsets == null) {
      return null;
    }
    List<Place> sessions = new ArrayList<>();
    DocumentPlaces documents = null;
    for (long offset : offsets) {
      Block block = reader.read(offset, Kind.OWNER);
      List<String> lines = Lines.split(block.text());
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        if (i == 0 && documents == null) {
          documents = parse(block, text -> DocumentPlaces.parse(line));
        } else if (i > 0) {
          sessions.add(parse(block, text -> Place.parse(line)));
        }
      }
    }
    if (documents == null) {
      throw reader.damaged(0, "owner '" + owner + "' has no index");
    }
    return new OwnerIndex(sessions, documents);
  }

  /** What a block says; a block that does not say it is damaged, whatever its checksum. */
  <T> T parse(Block block, Function<String, T> how) {
    try {
      String text = block.text();
      return how.apply(text.endsWith("\n") ? text.substring(0, text.length() - 1) : text);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw reader.damaged(
          block.offset(), "a block does not hold what it should (" + e.getMessage() + ")");
    }
  }

  /**
   * Reads the whole file and compares it with its digest.
   *
   * @throws ClewException.CorruptRecord naming the file and the first offset that is wrong
   */
  void verify(LongConsumer bytesRead) {
    if (!digest(reader, endOffset, bytesRead).equals(digest)) {
      throw reader.damaged(endOffset, "the digest of the whole file is wrong");
    }
  }

  void close() {
    reader.close();
  }

  /** The digest of everything before an offset; every block there is checked. */
  static String digest(BlockReader reader, long end, LongConsumer bytesRead) {
    MessageDigest sha = Sha256.begin();
    sha.update(reader.bytes(0, MAGIC.length() + 2L));
    long offset = MAGIC.length() + 2L;
    while (offset < end) {
      long next = reader.read(offset, sha).end();
      bytesRead.accept(next - offset);
      offset = next;
    }
    return HexFormat.of().formatHex(sha.digest());
  }
}
