package dev.clew.jsonl;

import dev.clew.ClewException.StoreUnavailable;
import dev.clew.SessionKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** Removes the files of an owner. Stateless; may be repeated after an interruption. */
record Erasure(Folders folders, Disk disk, Health health, SessionFiles files, Catalogue catalogue) {
  void erase(String owner) {
    for (SessionKey key : catalogue.keys(owner, Optional.empty())) {
      files.change(
          key,
          Instant.MIN,
          change -> {
            change.find().ifPresent(change::remove);
            return key;
          });
    }
    folders.lock().writeLock().lock();
    try {
      Path folder = folders.of(owner);
      health.requireWritable();
      boolean empty = true;
      for (Path path : folders.files(owner)) {
        if (isLeftOver(path, owner)) {
          disk.delete(path);
        } else {
          empty = false;
        }
      }
      if (!owner.isEmpty() && empty) {
        folders.remove(owner);
      }
      health.sync(
          folder, () -> disk.syncFolder(Files.isDirectory(folder) ? folder : folders.root()));
    } catch (IOException e) {
      throw Health.unwritable(folders.of(owner), e);
    } finally {
      folders.lock().writeLock().unlock();
    }
  }

  /**
   * Whether a file holds no session: an incomplete write, a copy that is not read, a temporary
   * file, a quarantine. A session that was created meanwhile stays.
   */
  private boolean isLeftOver(Path path, String owner) throws IOException {
    String name = path.getFileName().toString();
    boolean session = Folders.isSession(name) && !name.equals(Folders.RECORDS);
    return name.endsWith(Names.TEMPORARY)
        || name.endsWith(Names.QUARANTINE)
        || (session && !holdsASession(path, owner));
  }

  private boolean holdsASession(Path path, String owner) throws IOException {
    try {
      return Peek.at(path, owner, disk)
          .filter(info -> folders.isPlaceOf(info.key(), path))
          .isPresent();
    } catch (IOException | StoreUnavailable e) {
      if (Folders.isPacked(path)) {
        return false; // damaged, and nobody writes to it
      }
      throw e;
    }
  }
}
