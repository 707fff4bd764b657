package dev.clew.backup;

import dev.clew.ClewException;
import dev.clew.SessionStore;
import dev.clew.kit.Reasons;
import dev.clew.migrate.MigrationListener;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A folder with a chain of backups of one store: a full one, increments that build on it, the next
 * full one. Immutable; two processes that write to one folder take turns.
 *
 * <pre>{@code
 * new BackupFolder(Path.of("backups")).add(store, OptionalInt.of(7), MigrationListener.NONE);
 * }</pre>
 */
public final class BackupFolder {
  /** How the names of the files end. */
  public static final String SUFFIX = ".backup";

  /** A chain is no longer than this: then a full backup is made, and old ones can go. */
  static final int LONGEST_CHAIN = 7;

  private static final String FULL = "-full" + SUFFIX;
  private static final String INCREMENT = "-increment" + SUFFIX;
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("'clew-'yyyyMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final Path folder;
  private final Clock clock;

  /** The backups in a folder, which is made when the first is written. */
  public BackupFolder(Path folder) {
    this(folder, Clock.systemUTC());
  }

  /** With another clock than the system's. */
  public BackupFolder(Path folder, Clock clock) {
    this.folder = folder;
    this.clock = clock;
  }

  /** The backups, the oldest first. */
  public List<Path> files() {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(BackupFolder::isOurs)
          .sorted(Comparator.comparing(file -> String.valueOf(file.getFileName())))
          .toList();
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  private static boolean isOurs(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.startsWith("clew-") && (name.endsWith(FULL) || name.endsWith(INCREMENT));
  }

  /** The newest backup, if there is one. */
  public Optional<Path> newest() {
    List<Path> files = files();
    return files.isEmpty() ? Optional.empty() : Optional.of(files.get(files.size() - 1));
  }

  /** When the newest was made, if there is one that can be opened. */
  public Optional<Instant> newestTime() {
    return newest()
        .flatMap(
            file -> {
              try (BackupStore backup = BackupStore.open(file)) {
                return Optional.of(backup.head().madeAt());
              } catch (ClewException e) {
                return Optional.empty();
              }
            });
  }

  /**
   * Adds a backup: an increment on the newest, or a full one if there is none, it cannot be used,
   * or the chain is long. Then removes the oldest, except those which others build on.
   *
   * @param keep how many backups to keep; all without a number
   */
  public BackupReport add(SessionStore store, OptionalInt keep, MigrationListener listener) {
    if (keep.isPresent() && keep.getAsInt() < 1) {
      throw new IllegalArgumentException("at least one backup is kept, not " + keep.getAsInt());
    }
    try {
      Files.createDirectories(folder);
      try (FileChannel lock =
          FileChannel.open(
              folder.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        if (!isLocked(lock)) {
          throw new ClewException.StoreUnavailable(
              "another process is writing a backup to " + folder + "; wait for it", null);
        }
        removeLeftovers();
        BackupReport report = write(store, listener);
        keep.ifPresent(this::rotate);
        return report;
      }
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /** A file for what is removed; not part of the chain. */
  public Path nextArchive() {
    try {
      Files.createDirectories(folder);
      removeLeftovers();
      return folder.resolve(NAME.format(clock.instant()) + "-removed" + SUFFIX);
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  private static boolean isLocked(FileChannel lock) throws IOException {
    try {
      return lock.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false; // another thread of this process
    }
  }

  private BackupReport write(SessionStore store, MigrationListener listener) {
    Optional<Path> base = newest().filter(BackupFolder::canBeBuiltOn);
    // The order of the names is the order of the backups, whatever the clock does.
    String name = NAME.format(clock.instant());
    String last = newest().map(file -> String.valueOf(file.getFileName())).orElse("");
    if (name.compareTo(last) <= 0) {
      throw new ClewException.StoreUnavailable(
          String.format(
              "the newest backup %s in %s is from the future; set the clock, or move "
                  + "that file away",
              last, folder),
          null);
    }
    Backup backup = Backup.of(store).clock(clock);
    return base.isPresent()
        ? backup.since(base.get()).writeTo(folder.resolve(name + INCREMENT), listener)
        : backup.writeTo(folder.resolve(name + FULL), listener);
  }

  /** A chain that lost a file, or was damaged, is not continued: a full backup is the remedy. */
  private static boolean canBeBuiltOn(Path file) {
    try (BackupStore backup = BackupStore.open(file)) {
      if (backup.head().bases().size() >= LONGEST_CHAIN - 1) {
        return false;
      }
      backup.verify(bytes -> {});
      return true;
    } catch (ClewException e) {
      return false;
    }
  }

  private void removeLeftovers() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      for (Path file : all.toList()) {
        String name = String.valueOf(file.getFileName());
        if (name.startsWith("clew-") && name.endsWith(SUFFIX + PartFile.SUFFIX)) {
          PartFile.removeLeftover(file);
        }
      }
    }
  }

  /** Never removes a file that a kept one builds on, nor one that cannot be read. */
  private void rotate(int keep) {
    List<Path> files = new ArrayList<>(files());
    Collections.reverse(files);
    Set<String> needed = new HashSet<>();
    for (Path file : files.subList(0, Math.min(keep, files.size()))) {
      needed.add(String.valueOf(file.getFileName()));
      try (BackupStore backup = BackupStore.open(file)) {
        backup.head().bases().forEach(base -> needed.add(base.file()));
      } catch (ClewException e) {
        return; // what it needs is not known, so nothing goes until it is mended
      }
    }
    try {
      for (Path file : files) {
        if (!needed.contains(String.valueOf(file.getFileName()))) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  private ClewException unusable(IOException e) {
    return new ClewException.StoreUnavailable(
        "the backup folder " + folder + " cannot be used (" + Reasons.of(e) + ")", e);
  }
}
