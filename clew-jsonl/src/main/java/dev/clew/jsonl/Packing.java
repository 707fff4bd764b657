package dev.clew.jsonl;

import dev.clew.ClewException;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.spi.Compression.Saving;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces plain files by compressed ones, and back. Used under the lock of the session.
 *
 * <p>A plain file takes precedence. A new file is complete and durable before the old one is
 * removed, so a crash at any step leaves exactly one file that counts. What a crash leaves next to
 * a plain file is replaced by the next compression and removed with the session.
 *
 * @param diskBlock the allocation unit of the disk, of which compressing has to save one
 */
record Packing(Folders folders, Disk disk, Health health, long diskBlock) {
  private static final Logger LOG = LoggerFactory.getLogger(Packing.class);

  /** Longer names leave no room for a suffix. */
  private static final int MAX_NAME = 240;

  /** Whether compressing the file of a session may save something. Needs no lock. */
  boolean isWorthwhile(SessionKey key) {
    return worthwhile(key).isPresent();
  }

  private Optional<Path> worthwhile(SessionKey key) {
    return folders.find(key).filter(path -> !Folders.isPacked(path) && isWorthwhile(path));
  }

  private boolean isWorthwhile(Path path) {
    try {
      return Files.size(path) > diskBlock
          && path.getFileName().toString().getBytes(StandardCharsets.UTF_8).length <= MAX_NAME;
    } catch (IOException e) {
      return false; // gone or unreadable
    }
  }

  /** Compresses the file of a session, unless that saves nothing. */
  Optional<Saving> pack(SessionKey key) {
    return worthwhile(key).filter(path -> !isBesideAnother(key, path)).flatMap(this::pack);
  }

  /**
   * Whether the compressed file of an earlier session of the same id is next to a plain one, as a
   * program that does not know compressed files may leave it.
   */
  private boolean isBesideAnother(SessionKey key, Path plain) {
    Path packed = Folders.packed(plain);
    boolean another = Files.exists(packed) && !isLeftCopy(key, packed);
    if (another) {
      LOG.warn("{} is not compressed: {} is of another session", plain, packed);
    }
    return another;
  }

  /** Whether this is a compressed file that a crash left next to the plain one. */
  boolean isLeftCopy(SessionKey key, Path packed) {
    try {
      return Folders.isPacked(packed)
          && Peek.at(packed, key.owner(), disk)
              .map(SessionInfo::createdAt)
              .equals(
                  Peek.at(Folders.plain(packed), key.owner(), disk).map(SessionInfo::createdAt));
    } catch (IOException | ClewException e) {
      return false;
    }
  }

  private Optional<Saving> pack(Path plain) {
    Path packed = Folders.packed(plain);
    Saving saving;
    try (Disk.File from = disk.open(plain, false)) {
      SideFile.write(packed, disk, health, to -> pack(plain, from, packed, to));
      saving = new Saving(from.size(), Files.size(SideFile.temporary(packed)));
      if (diskBlock > 0 && blocks(saving.after()) >= blocks(saving.before())) {
        disk.delete(SideFile.temporary(packed));
        return Optional.empty();
      }
    } catch (IOException e) {
      throw Health.unwritable(packed, e);
    }
    replace(packed, plain);
    return Optional.of(saving);
  }

  private long blocks(long bytes) {
    return (bytes + diskBlock - 1) / diskBlock;
  }

  private static void pack(Path plain, Disk.File from, Path packed, Disk.File to)
      throws IOException {
    PackedFile.pack(from, to);
    compare(from, PackedFile.of(to)); // the original is about to be removed
    keepTime(plain, packed);
  }

  private static void compare(Disk.File one, Disk.File two) throws IOException {
    long size = one.size();
    boolean same = two.size() == size;
    for (long at = 0; at < size && same; at += PackedFile.BLOCK) {
      same = Arrays.equals(block(one, at), block(two, at));
    }
    if (!same) {
      throw new IOException("what was written is not what is read back");
    }
  }

  private static byte[] block(Disk.File file, long at) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate((int) Math.min(PackedFile.BLOCK, Math.max(0, file.size() - at)));
    file.read(bytes, at);
    return bytes.array();
  }

  /** Whether the file of a session is compressed. Needs no lock. */
  boolean isPacked(SessionKey key) {
    return folders.find(key).filter(Folders::isPacked).isPresent();
  }

  /** Restores the plain file of a session; returns whether it was compressed. */
  boolean unpack(SessionKey key) {
    Optional<Path> packed = folders.find(key).filter(Folders::isPacked);
    packed.map(Folders::plain).ifPresent(this::unpack);
    return packed.isPresent();
  }

  void unpack(Path plain) {
    Path packed = Folders.packed(plain);
    try (Disk.File from = PackedFile.open(packed, disk)) {
      SideFile.write(plain, disk, health, to -> unpack(packed, from, plain, to));
    } catch (IOException e) {
      throw Health.unwritable(plain, e);
    }
    replace(plain, packed);
  }

  private static void unpack(Path packed, Disk.File from, Path plain, Disk.File to)
      throws IOException {
    for (long at = 0; at < from.size(); at += PackedFile.BLOCK) {
      to.write(ByteBuffer.wrap(readable(packed, from, at)), at);
    }
    keepTime(packed, plain);
  }

  private static byte[] readable(Path packed, Disk.File from, long at) {
    try {
      return block(from, at);
    } catch (IOException e) {
      throw Health.unreadable(packed, e); // not for lack of space
    }
  }

  /** In a file of another program the time of the last change is the time of its messages. */
  private static void keepTime(Path from, Path to) throws IOException {
    Files.setLastModifiedTime(SideFile.temporary(to), Files.getLastModifiedTime(from));
  }

  private void replace(Path by, Path old) {
    SideFile.moveIntoPlace(by, disk, health);
    try {
      disk.delete(old);
    } catch (IOException e) {
      throw Health.unwritable(old, e);
    }
    health.sync(old, () -> disk.syncFolder(Folders.parent(old)));
  }
}
