package dev.clew.backup;

import dev.clew.ClewException;
import dev.clew.kit.BackendStore;
import dev.clew.kit.StoreSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * A backup, with the files it builds on, as a read-only store. Thread-safe.
 *
 * <pre>{@code
 * try (BackupStore backup = BackupStore.open(Path.of("nightly.backup"))) {
 *   backup.verify(bytes -> {});
 *   Migration.of(backup, store).run(MigrationListener.NONE);
 * }
 * }</pre>
 *
 * <p>Positions, versions and times are those of the store that was backed up. A backup of an
 * encrypted store holds what that store held; it is opened with the store's keys as the store is.
 */
public final class BackupStore extends BackendStore {
  private final BackupBackend backup;

  private BackupStore(BackupBackend backup) {
    super(backup, StoreSettings.of("backup " + backup.newest().path()));
    this.backup = backup;
  }

  /**
   * Opens a backup and the files it builds on, which must be in the same folder.
   *
   * @throws ClewException saying what is wrong with which file, and where
   */
  public static BackupStore open(Path path) {
    return new BackupStore(BackupBackend.open(path));
  }

  /** What backup it is. */
  public BackupHead head() {
    return backup.newest().head();
  }

  /** How much it restores to. */
  public BackupTotals totals() {
    return backup.newest().totals();
  }

  /** The file and those it builds on. */
  public List<Path> files() {
    return backup.files().stream().map(BackupFile::path).toList();
  }

  /**
   * Reads all files as a whole and compares every checksum and digest.
   *
   * @param bytesRead receives how many more bytes were read
   * @throws ClewException.CorruptRecord naming the file and the offset
   */
  public void verify(LongConsumer bytesRead) {
    backup.files().forEach(file -> file.verify(bytesRead));
  }

  /** What a backup that builds on this one reads. */
  BackupBackend backend() {
    return backup;
  }
}
