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
 * Puts compressed files in the place of plain ones, and back. Used under the lock of the session.
 *
 * <p>The plain file counts as long as there is one. So each step on the way leaves exactly one file
 * that counts, whole, wherever a crash comes: the new one is complete and on the disk, with its
 * name, before the old one is removed. What a crash leaves next to the plain file is replaced by
 * the next packing and goes with the session.
 */
final class Packing {
  private static final Logger LOG = LoggerFactory.getLogger(Packing.class);

  /** Longer names leave no room for what is appended. */
  private static final int MAX_NAME = 240;

  private final Folders folders;
  private final Disk disk;
  private final Health health;
  private final long diskBlock;

  /**
   * @param diskBlock what a file takes on the disk is a multiple of this; packing has to save one
   */
  Packing(Folders folders, Disk disk, Health health, long diskBlock) {
    this.folders = folders;
    this.disk = disk;
    this.health = health;
    this.diskBlock = diskBlock;
  }

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
      return false; // it is gone, or cannot be read either
    }
  }

  /** Compresses the file of a session, unless that saves nothing. */
  Optional<Saving> pack(SessionKey key) {
    return worthwhile(key).filter(path -> !isBesideAnother(key, path)).flatMap(this::pack);
  }

  /**
   * Whether the compressed file of another session, which had the same id, is next to a plain one.
   * A program that does not know compressed files can come to make one.
   */
  private boolean isBesideAnother(SessionKey key, Path plain) {
    Path packed = Folders.packed(plain);
    boolean another = Files.exists(packed) && !isLeftCopy(key, packed);
    if (another) {
      LOG.warn("{} is not compressed: {} is of another session", plain, packed);
    }
    return another;
  }

  /** Whether this is a compressed file that a crash has left next to the plain one. */
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
    compare(from, PackedFile.of(to)); // what it was made of is about to be removed
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

  /** Puts the plain file of a session back; whether it was compressed. */
  boolean unpack(SessionKey key) {
    Optional<Path> packed = folders.find(key).filter(Folders::isPacked);
    packed.map(Folders::plain).ifPresent(this::unpack);
    return packed.isPresent();
  }

  /** Puts the plain file back. */
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
      throw Health.unreadable(packed, e); // it is not for lack of space
    }
  }

  /** In a file of another program the time it was changed is the time of its messages. */
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
