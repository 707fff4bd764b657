package dev.clew.retention;

import dev.clew.Capability;
import dev.clew.ClewException;
import dev.clew.Documents.Document;
import dev.clew.Leases;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.backup.Backup;
import dev.clew.backup.BackupFolder;
import dev.clew.copy.OwnerWalk;
import dev.clew.migrate.MigrationListener;
import dev.clew.migrate.SessionOutcome;
import dev.clew.retention.RetentionPolicy.Action;
import dev.clew.retention.RetentionReport.Compressed;
import dev.clew.spi.Compression;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/**
 * The policies of a store; removes and compresses sessions by them. Thread-safe; concurrent runs in
 * two processes do not interfere.
 *
 * <pre>{@code
 * Retention retention = Retention.of(store);
 * retention.set(policy);
 * retention.run(false, Optional.empty(), RetentionListener.NONE);
 * }</pre>
 *
 * <p>After an interruption the next run continues: sessions are examined again each time, each is
 * removed as a whole, and an archive file is complete before the first of its sessions is removed.
 */
public final class Retention {
  /** The owner of the documents of policies and holds. */
  public static final String OWNER = "@clew";

  private static final String REMOVING = "retention/";

  /** Apart, so that a program which only knows how to remove does not find them. */
  private static final String COMPRESSING = "compression/";

  private static final int PAGE = 500;

  /** More are left to another run, so that what is remembered stays small. */
  private static final int MOST = 100_000;

  /** The lease that runs take, see {@code Runner}. */
  private static final String TURN = "turn";

  /** Far longer than a removal, and not long to wait for if its run was killed. */
  private static final Duration LEASE = Duration.ofSeconds(5);

  private static final String HOLDER = "retention ";
  private static final long PAUSE_NANOS = 20_000_000;

  private final SessionStore store;
  private final SessionStore plain;
  private final LegalHolds holds;
  private final Clock clock;

  private Retention(SessionStore store, SessionStore plain, Clock clock) {
    this.store = Objects.requireNonNull(store, "store");
    this.plain = plain;
    this.holds = new LegalHolds(store);
    this.clock = clock;
  }

  /** For a store that is not encrypted. */
  public static Retention of(SessionStore store) {
    return new Retention(store, store, Clock.systemUTC());
  }

  /** With the store inside an encrypted one, so that archive files have no plaintext. */
  public Retention archivedFrom(SessionStore behind) {
    return new Retention(store, behind, clock);
  }

  /** With another clock than the system's. */
  public Retention clock(Clock value) {
    return new Retention(store, plain, value);
  }

  /** The policies, by name. */
  public List<RetentionPolicy> policies() {
    List<RetentionPolicy> all = new ArrayList<>();
    for (String prefix : List.of(REMOVING, COMPRESSING)) {
      for (Document document : store.documents().walk(OWNER, prefix)) {
        all.add(RetentionPolicy.parse(document.json()));
      }
    }
    all.sort(Comparator.comparing(RetentionPolicy::name));
    return all;
  }

  /**
   * Adds a policy, or changes the one of its name.
   *
   * @throws ClewException.NotSupported if it compresses and the store cannot
   */
  public void set(RetentionPolicy policy) {
    boolean compresses = policy.action() == Action.COMPRESS;
    if (compresses) {
      Compression.of(store);
    }
    store.documents().delete(OWNER, (compresses ? REMOVING : COMPRESSING) + policy.name());
    store
        .documents()
        .put(OWNER, (compresses ? COMPRESSING : REMOVING) + policy.name(), policy.json());
  }

  /** Removes a policy; returns whether there was one. */
  public boolean remove(String name) {
    boolean compressing = store.documents().delete(OWNER, COMPRESSING + name);
    return store.documents().delete(OWNER, REMOVING + name) || compressing;
  }

  /** The holds of the store. */
  public LegalHolds holds() {
    return holds;
  }

  /**
   * A session to remove or compress. Immutable.
   *
   * @param key the session
   * @param version its version when it was examined
   * @param updatedAt when it was last updated
   * @param policy the name of the policy
   * @param reason which limit it exceeds: age, idle or count
   */
  public record Verdict(
      SessionKey key, long version, Instant updatedAt, String policy, String reason) {}

  /**
   * Removes and compresses what the policies say, or only reports it. What is on hold is not
   * removed, but may be compressed, since nothing is lost.
   *
   * @param dryRun whether only to report
   * @param archive the folder for an archive file of what is removed
   * @param listener is called for each session
   */
  public RetentionReport run(boolean dryRun, Optional<Path> archive, RetentionListener listener) {
    return new Run(listener).everything(dryRun, archive);
  }

  /** Remembers which sessions are in the archive, and tells how far it is. Not thread-safe. */
  private static final class Archiving implements MigrationListener {
    private final RetentionListener listener;
    private final Set<SessionKey> written;
    private long total;
    private long done;

    Archiving(RetentionListener listener, Set<SessionKey> written) {
      this.listener = listener;
      this.written = written;
    }

    @Override
    public void planned(long sessions, long items) {
      total = items;
    }

    @Override
    public void progressed(long items) {
      done += items;
      listener.archived(done, Math.max(done, total));
    }

    @Override
    public void finished(SessionOutcome outcome) {
      if (outcome.kind() == SessionOutcome.Kind.MOVED) {
        written.add(outcome.key());
      }
    }
  }

  /** One run. Used by one thread. */
  private final class Run {
    private final RetentionListener listener;
    private final Instant now = clock.instant();
    private final boolean compresses =
        store.traits().capabilities().contains(Capability.COMPRESSION);
    private final List<Verdict> doomed = new ArrayList<>();
    private final List<Verdict> cold = new ArrayList<>();
    private long coldBytes;
    private long examined;
    private long held;
    private long removed;

    Run(RetentionListener listener) {
      this.listener = listener;
    }

    RetentionReport everything(boolean dryRun, Optional<Path> archive) {
      List<RetentionPolicy> policies = policies();
      if (!dryRun) {
        holds.protect();
      }
      if (!policies.isEmpty()) {
        OwnerWalk.of(store).forEach(owner -> judge(owner, policies));
      }
      Optional<Path> file = Optional.empty();
      Compressed compressed = new Compressed(cold.size(), coldBytes, coldBytes);
      if (dryRun) {
        doomed.forEach(listener::removed);
        cold.forEach(verdict -> listener.compressed(verdict, Optional.empty()));
        removed = doomed.size();
      } else {
        if (!doomed.isEmpty()) {
          file = archive.map(this::archive);
          removeAll();
        }
        compressed = compressAll();
      }
      return new RetentionReport(
          examined,
          removed,
          held,
          doomed.size() - removed,
          file,
          compressed,
          compresses ? List.of() : compressing(policies),
          doomed.size() == MOST || cold.size() == MOST);
    }

    private static List<String> compressing(List<RetentionPolicy> policies) {
      return policies.stream()
          .filter(policy -> policy.action() == Action.COMPRESS)
          .map(RetentionPolicy::name)
          .toList();
    }

    private Compressed compressAll() {
      long sessions = 0;
      long before = 0;
      long after = 0;
      for (int i = 0; i < cold.size(); i++) {
        Verdict verdict = cold.get(i);
        Optional<Compression.Saving> saving =
            isUnchanged(verdict) ? Compression.of(store).compress(verdict.key()) : Optional.empty();
        if (saving.isPresent()) {
          sessions++;
          before += saving.get().before();
          after += saving.get().after();
          listener.compressed(verdict, saving);
        }
        listener.compressing(i + 1, cold.size());
      }
      return new Compressed(sessions, before, after);
    }

    private void removeAll() {
      List<Verdict> blocked = new ArrayList<>();
      for (int i = 0; i < doomed.size(); i++) {
        if (!remove(doomed.get(i))) {
          blocked.add(doomed.get(i));
        }
        listener.progressed(i + 1, doomed.size());
      }
      long deadline = System.nanoTime() + 2 * LEASE.toNanos();
      for (Verdict removal : blocked) {
        while (!remove(removal) && System.nanoTime() < deadline) {
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    }

    private void judge(String owner, List<RetentionPolicy> all) {
      List<RetentionPolicy> mine = all.stream().filter(policy -> policy.appliesTo(owner)).toList();
      if (mine.isEmpty() || owner.startsWith(OWNER)) {
        return;
      }
      boolean someHeld = holds.onAnyOf(owner).isPresent();
      long[] newer = new long[mine.size()];
      for (SessionInfo info : SessionQuery.of(owner).limit(PAGE).walk(store::list)) {
        judge(info, mine, newer, someHeld);
        listener.examined(examined);
      }
    }

    /** The list is newest-updated first, so that what was seen before is newer. */
    private void judge(
        SessionInfo info, List<RetentionPolicy> policies, long[] newer, boolean someHeld) {
      examined++;
      Optional<Verdict> removal = Optional.empty();
      Optional<Verdict> compression = Optional.empty();
      for (int i = 0; i < policies.size(); i++) {
        RetentionPolicy policy = policies.get(i);
        if (policy.isAbout(info)) {
          Optional<Verdict> verdict =
              policy.reason(info, newer[i]++, now).map(reason -> verdict(info, policy, reason));
          if (policy.action() == Action.REMOVE) {
            removal = removal.or(() -> verdict);
          } else {
            compression = compression.or(() -> verdict);
          }
        }
      }
      if (removal.isEmpty() || !goes(removal.get(), someHeld)) {
        compression.ifPresent(verdict -> compress(verdict, info));
      }
    }

    private static Verdict verdict(SessionInfo info, RetentionPolicy policy, String reason) {
      return new Verdict(info.key(), info.version(), info.updatedAt(), policy.name(), reason);
    }

    private boolean goes(Verdict verdict, boolean someHeld) {
      if (someHeld && holds.on(verdict.key()).isPresent()) {
        held++;
        return false;
      }
      if (doomed.size() < MOST) {
        doomed.add(verdict);
      }
      return true;
    }

    private void compress(Verdict verdict, SessionInfo info) {
      if (compresses && cold.size() < MOST && Compression.of(store).isWorthwhile(verdict.key())) {
        cold.add(verdict);
        coldBytes += info.bytes();
      }
    }

    /** One that cannot be read stays: somebody has to look at it. */
    private boolean isUnchanged(Verdict verdict) {
      try {
        return store
            .session(verdict.key())
            .info()
            .filter(current -> current.version() == verdict.version())
            .isPresent();
      } catch (ClewException.CorruptRecord e) {
        return false;
      }
    }

    /** Only what is in the archive goes. */
    private Path archive(Path folder) {
      Path file = new BackupFolder(folder, clock).nextArchive();
      Set<SessionKey> written = new HashSet<>();
      Backup.of(plain)
          .clock(clock)
          .sessions(doomed.stream().map(Verdict::key).toList())
          .writeTo(file, new Archiving(listener, written));
      doomed.replaceAll(
          removal ->
              written.contains(removal.key())
                  ? removal
                  : new Verdict(
                      removal.key(), -1, removal.updatedAt(), removal.policy(), removal.reason()));
      return file;
    }

    /**
     * Whoever is in the middle of a turn, or has written since, keeps the session.
     *
     * @return false if another run was about to remove it, which may have been killed
     */
    private boolean remove(Verdict removal) {
      SessionKey key = removal.key();
      Optional<Leases.Grant> lease =
          store.leases().tryAcquire(key, TURN, HOLDER + UUID.randomUUID(), LEASE);
      if (lease.isEmpty()) {
        return store // nobody by now, if a killed run's has just ended: then it is tried again
            .leases()
            .holder(key, TURN)
            .filter(other -> !other.holder().startsWith(HOLDER))
            .isPresent();
      }
      try {
        if (isUnchanged(removal)) {
          holds.requireFree(key);
          store.session(key).delete();
          removed++;
          listener.removed(removal);
        }
      } catch (ClewException.OnHold e) {
        held++; // placed a moment ago
      } finally {
        store.leases().release(lease.get());
      }
      return true;
    }
  }
}
