package dev.clew.backup;

import dev.clew.ClewException;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.kit.BackendStore;
import dev.clew.kit.EncryptionMark;
import dev.clew.migrate.MigrationListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a store has into a file while others read and write the store. Immutable; run it in
 * one thread at a time.
 *
 * <pre>{@code
 * BackupReport report = Backup.of(store).writeTo(Path.of("nightly.backup"), MigrationListener.NONE);
 * }</pre>
 *
 * <p>It includes every item with its notes, position and time, what compactions replaced, the
 * description of each session, and the owners' documents. It does not include leases, operation
 * ids, quarantine and search indexes. Each session is as it was at one moment; a store that has
 * {@linkplain BackendStore#snapshot snapshots} is, as a whole. Of an encrypted store give the store
 * behind: what it holds goes in as it is, and no key is needed.
 *
 * <p>The file is read back and compared before it gets its name. Memory grows with the number of
 * sessions of the largest owner and not with their length. Restoring is a {@link
 * dev.clew.migrate.Migration} from {@link BackupStore}.
 */
public final class Backup {
  private final SessionStore store;
  private final Selection selection;
  private final Optional<Path> previous;
  private final Clock clock;

  private Backup(SessionStore store, Selection selection, Optional<Path> previous, Clock clock) {
    this.store = Objects.requireNonNull(store, "store");
    this.selection = selection;
    this.previous = previous;
    this.clock = clock;
  }

  /** Of everything. */
  public static Backup of(SessionStore store) {
    return new Backup(store, Selection.all(), Optional.empty(), Clock.systemUTC());
  }

  /** Of one owner only. */
  public Backup owner(String name) {
    SessionKey.checkOwner(name);
    return new Backup(store, Selection.of(name), previous, clock);
  }

  /** Of these sessions only, without documents. */
  public Backup sessions(Collection<SessionKey> keys) {
    return new Backup(store, Selection.of(List.copyOf(keys)), previous, clock);
  }

  /**
   * Writes only what is not in an earlier backup, which must stay in the same folder: what was
   * added to a session that grew, and what follows the first change of any other.
   */
  public Backup since(Path earlier) {
    return new Backup(store, selection, Optional.of(earlier), clock);
  }

  /** With another clock than the system's. */
  public Backup clock(Clock value) {
    return new Backup(store, selection, previous, value);
  }

  /**
   * Writes the file, verifies it and puts it in its place; until then there is none of that name.
   *
   * @throws IllegalArgumentException if the store decrypts what it reads
   * @throws ClewException if the store cannot be read or the file not be written; run it again then
   */
  public BackupReport writeTo(Path file, MigrationListener listener) {
    boolean encrypted = isEncrypted(store);
    Optional<SessionStore> still = BackendStore.snapshot(store);
    try (@Nullable SessionStore held = still.orElse(null);
        @Nullable BackupStore earlier = previous.map(BackupStore::open).orElse(null);
        PartFile part = PartFile.of(file)) {
      SessionStore source = held == null ? store : held;
      BlockWriter out = new BlockWriter(part.channel(), 0);
      BackupWriter writer =
          new BackupWriter(source, out, earlier == null ? null : earlier.backend(), listener);
      BackupHead head = head(encrypted, file, earlier);
      plan(source, listener);
      writer.begin(head);
      selection.forEachOwner(source, owner -> writer.owner(owner, selection));
      List<String> index = writer.index();
      BlockReader written = new BlockReader(part.channel(), part.part());
      writer.end(index, BackupFile.digest(written, out.position(), bytes -> {}));
      part.publish();
      return new BackupReport(
          file,
          head,
          writer.totals(),
          writer.written(),
          writer.failed(),
          writer.unreadable(),
          out.position());
    } catch (IOException e) {
      throw PartFile.unwritable(file, e);
    } catch (UncheckedIOException e) {
      throw PartFile.unwritable(file, Objects.requireNonNull(e.getCause()));
    }
  }

  private void plan(SessionStore source, MigrationListener listener) {
    if (listener == MigrationListener.NONE) {
      return;
    }
    long[] planned = new long[2];
    selection.forEachOwner(
        source,
        owner -> {
          long[] count = selection.count(source, owner);
          planned[0] += count[0];
          planned[1] += count[1];
        });
    listener.planned(planned[0], planned[1]);
  }

  private BackupHead head(boolean encrypted, Path file, @Nullable BackupStore earlier) {
    List<BackupHead.Base> bases = new ArrayList<>();
    if (earlier != null) {
      Path beside = earlier.files().get(0);
      if (!Objects.equals(folder(beside), folder(file))) {
        throw new IllegalArgumentException(
            "the backup before, " + beside + ", is not in the folder of " + file);
      }
      bases.add(new BackupHead.Base(earlier.head().id(), String.valueOf(beside.getFileName())));
      bases.addAll(earlier.head().bases());
    }
    return new BackupHead(
        UUID.randomUUID().toString(),
        clock.instant().truncatedTo(ChronoUnit.MILLIS),
        encrypted,
        bases);
  }

  private static boolean isEncrypted(SessionStore store) {
    try {
      return EncryptionMark.isOn(store);
    } catch (IllegalArgumentException e) {
      // A store that decrypts hides the owner with the keys, without which a backup is useless.
      throw new IllegalArgumentException(
          "an EncryptedStore cannot be backed up itself; give Backup.of the store behind it, which"
              + " is backed up encrypted and needs no keys",
          e);
    }
  }

  private static @Nullable Path folder(Path file) {
    return file.toAbsolutePath().normalize().getParent();
  }
}
