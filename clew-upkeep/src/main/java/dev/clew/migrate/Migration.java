package dev.clew.migrate;

import dev.clew.ClewException;
import dev.clew.Finding;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.copy.OwnerWalk;
import dev.clew.copy.SessionWalk;
import dev.clew.migrate.SessionOutcome.Kind;
import java.time.Clock;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Copies sessions from one store to another, whatever kind they are. Immutable; run it in one
 * thread at a time.
 *
 * <pre>{@code
 * MigrationReport report = Migration.of(from, to).run(MigrationListener.NONE);
 * }</pre>
 *
 * <p>It copies every item with its notes and time in its order, what compactions replaced, title,
 * metadata, tags, flags, times and time to live of each session, and the owners' documents. The
 * target assigns positions and versions; the parent of a fork gets its position in the target. A
 * session whose time to live is over counts as updated when it is copied, so that it does not
 * expire at once. Leases and operation ids are not copied.
 *
 * <p>The source is only read. Nothing in the target is overwritten: a session that exists there
 * with other content is refused, and the others are copied. Each copy is read back and compared by
 * count and digest. A session is complete in the target or marked there as unfinished; a migration
 * that was killed is continued by running it again. Memory does not grow with the length of a
 * session.
 */
public final class Migration {
  /**
   * Sessions up to this size are copied side by side; larger ones one at a time, for the memory.
   */
  private static final long SMALL_BYTES = 1 << 20;

  private final SessionStore from;
  private final SessionStore to;
  private final Optional<String> owner;
  private final Optional<SessionKey> only;
  private final Optional<Instant> since;
  private final boolean dryRun;

  private Migration(
      SessionStore from,
      SessionStore to,
      Optional<String> owner,
      Optional<SessionKey> only,
      Optional<Instant> since,
      boolean dryRun) {
    this.from = Objects.requireNonNull(from, "from");
    this.to = Objects.requireNonNull(to, "to");
    this.owner = owner;
    this.only = only;
    this.since = since;
    this.dryRun = dryRun;
  }

  /** Of all sessions of all owners. */
  public static Migration of(SessionStore from, SessionStore to) {
    return new Migration(from, to, Optional.empty(), Optional.empty(), Optional.empty(), false);
  }

  /** Of one owner only. */
  public Migration owner(String name) {
    SessionKey.checkOwner(name);
    return new Migration(from, to, Optional.of(name), Optional.empty(), since, dryRun);
  }

  /** Of one session only, without documents. */
  public Migration session(SessionKey key) {
    return new Migration(from, to, Optional.of(key.owner()), Optional.of(key), since, dryRun);
  }

  /** Of sessions that were updated at that time or later. */
  public Migration since(Instant time) {
    return new Migration(from, to, owner, only, Optional.of(time), dryRun);
  }

  /** A dry run: reports what would be copied, and copies nothing. */
  public Migration dryRun() {
    return new Migration(from, to, owner, only, since, true);
  }

  /** Whether a session is what an unfinished migration left; run it again to complete it. */
  public static boolean isUnfinished(SessionInfo info) {
    return Mark.isOn(info);
  }

  /**
   * Runs it, or continues one that was interrupted.
   *
   * @throws ClewException if a store becomes unavailable; run it again later
   */
  public MigrationReport run(MigrationListener listener) {
    return new Run(listener).everything();
  }

  /** One run. What several threads use is guarded by its lock. */
  private final class Run implements MigrationListener {
    private final MigrationListener listener;
    private final DocumentCopy records;
    private final Parents parents = new Parents(from, to);
    private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
    private final Set<SessionKey> damaged = new HashSet<>();
    private final Set<SessionKey> told = new HashSet<>();
    private long items;
    private long unreadable;

    Run(MigrationListener listener) {
      this.listener = listener;
      this.records = new DocumentCopy(from, to, dryRun, listener, Clock.systemUTC());
    }

    MigrationReport everything() {
      if (only.isPresent()) {
        Optional<SessionInfo> one = from.session(only.get()).info();
        one.ifPresent(info -> listener.planned(1, info.itemCount()));
        one.ifPresent(parents::note);
        copy(only.get());
      } else {
        copyOwners();
      }
      if (!dryRun) {
        parents.name();
      }
      if (!damaged.isEmpty()) {
        from.check(this::tell);
        damaged.forEach(this::tellWithoutPosition);
      }
      return new MigrationReport(counts, items, records.moved(), records.refused(), unreadable);
    }

    private void copyOwners() {
      plan();
      try (Lanes lanes = new Lanes()) {
        forEachOwner(
            name -> {
              new SessionWalk(from, name, since).forEach(info -> copy(info, lanes));
              lanes.drain();
              records.copy(name);
            });
      }
    }

    private void plan() {
      long[] planned = new long[2];
      forEachOwner(
          name -> {
            SessionWalk walk = new SessionWalk(from, name, since);
            planned[0] += walk.sessions();
            planned[1] += walk.items();
          });
      listener.planned(planned[0], planned[1]);
    }

    private void forEachOwner(Consumer<String> action) {
      if (owner.isPresent()) {
        action.accept(owner.get());
        return;
      }
      OwnerWalk.of(from).forEach(action);
    }

    private void copy(SessionInfo info, Lanes lanes) {
      parents.note(info);
      if (info.bytes() <= SMALL_BYTES) {
        lanes.run(() -> copy(info.key()));
      } else {
        lanes.drain();
        copy(info.key());
      }
    }

    private void copy(SessionKey key) {
      SessionCopy copy = new SessionCopy(from, to, key, dryRun, this);
      Optional<SessionOutcome> outcome;
      try {
        outcome = copy.run();
      } catch (ClewException.StoreUnavailable
          | ClewException.OutcomeUnknown
          | ClewException.Closed e) {
        throw e; // all other sessions would fail too
      } catch (ClewException e) {
        String message = String.valueOf(e.getMessage());
        outcome = Optional.of(new SessionOutcome(key, Kind.FAILED, 0, message));
      }
      outcome.ifPresent(this::finished);
      if (copy.unreadable() > 0) {
        isDamaged(key);
      }
    }

    @Override
    public synchronized void progressed(long more) {
      listener.progressed(more);
    }

    @Override
    public synchronized void finished(SessionOutcome outcome) {
      counts.merge(outcome.kind(), 1L, Long::sum);
      if (outcome.kind() == Kind.MOVED || outcome.kind() == Kind.WOULD_MOVE) {
        items += outcome.items();
      } else if (outcome.kind() != Kind.ALREADY_THERE) {
        parents.forget(outcome.key());
      }
      listener.finished(outcome);
    }

    private synchronized void isDamaged(SessionKey key) {
      damaged.add(key);
    }

    private void tell(Finding finding) {
      if (finding.kind() == Finding.Kind.DAMAGED
          && finding.key().isPresent()
          && damaged.contains(finding.key().get())) {
        unreadable++;
        told.add(finding.key().get());
        listener.unreadable(finding);
      }
    }

    private void tellWithoutPosition(SessionKey key) {
      if (!told.contains(key)) {
        unreadable++;
        listener.unreadable(
            new Finding(
                Finding.Kind.DAMAGED,
                Optional.of(key),
                OptionalLong.empty(),
                "has fewer readable items than it should; run clew doctor on the source"));
      }
    }
  }
}
