package dev.clew.memory;

import dev.clew.Commit.Fence;
import dev.clew.Entry;
import dev.clew.SessionEvent;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.kit.Conflicts;
import dev.clew.kit.TextOrder;
import dev.clew.kit.state.ChangeLog;
import dev.clew.kit.state.Counters;
import dev.clew.kit.state.Description;
import dev.clew.kit.state.Expiries;
import dev.clew.kit.state.History;
import dev.clew.kit.state.Journal;
import dev.clew.kit.state.LeaseTable;
import dev.clew.kit.state.OwnerSessions;
import dev.clew.kit.state.SessionState;
import dev.clew.kit.state.Transactions;
import dev.clew.spi.Changes;
import dev.clew.spi.Fork;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All sessions of a {@link MemoryStore} and the counters behind their positions and versions. Not
 * thread-safe: used under the guard of the store.
 */
final class MemorySessions implements Journal {
  /** How many removed sessions are remembered, so that their watchers learn of it. */
  static final int REMOVED_LOGS = 1024;

  private static final History NOTHING = new History();

  private final Optional<Duration> defaultTimeToLive;
  private final Consumer<SessionKey> onChange;
  private final NavigableMap<String, OwnerSessions<SessionState>> owners =
      new TreeMap<>(TextOrder.BY_CODE_POINT);
  private final Expiries<SessionKey> expiries = new Expiries<>();
  private final Map<SessionKey, ChangeLog> removedLogs = new LinkedHashMap<>();
  private final Counters counters = new Counters();

  /** Logs of removed sessions are forgotten up to this version. */
  private long forgotten;

  MemorySessions(Optional<Duration> defaultTimeToLive, Consumer<SessionKey> onChange) {
    this.defaultTimeToLive = defaultTimeToLive;
    this.onChange = onChange;
  }

  /** The session, unless it does not exist or has expired. */
  Optional<SessionState> find(SessionKey key, Instant now) {
    return Optional.ofNullable(stored(key)).filter(state -> !hasExpired(state, now));
  }

  private @Nullable SessionState stored(SessionKey key) {
    OwnerSessions<SessionState> sessions = owners.get(key.owner());
    return sessions == null ? null : sessions.get(key.id());
  }

  private boolean hasExpired(SessionState state, Instant now) {
    return state.hasExpired(defaultTimeToLive, now);
  }

  /** The session for a change that does not create one; an expired one is removed first. */
  Optional<SessionState> findToChange(SessionKey key, Instant now) {
    SessionState state = stored(key);
    if (state != null && hasExpired(state, now)) {
      remove(state);
      state = null;
    }
    return Optional.ofNullable(state);
  }

  /** Where a change of a session finds or makes it. */
  Transactions.Place place(SessionKey key, LeaseTable leases, Instant now) {
    return new Transactions.Place() {
      @Override
      public Optional<SessionState> find() {
        return findToChange(key, now);
      }

      @Override
      public SessionState create(Instant at) {
        return MemorySessions.this.create(key, at, Optional.empty());
      }

      @Override
      public boolean hasExpired(SessionState state) {
        return MemorySessions.this.hasExpired(state, now);
      }

      @Override
      public void check(Fence fence) {
        leases.check(key, fence);
      }
    };
  }

  private SessionState create(SessionKey key, Instant now, Optional<SessionInfo.Parent> parent) {
    ChangeLog log = removedLogs.remove(key);
    SessionState state =
        new SessionState(
            key, now, parent, log == null ? new ChangeLog(forgotten) : log, counters, this);
    owners.computeIfAbsent(key.owner(), owner -> new OwnerSessions<>()).add(state);
    expiries.move(key, Optional.empty(), state.expiresAt(defaultTimeToLive));
    return state;
  }

  void remove(SessionState state) {
    OwnerSessions<SessionState> sessions = sessionsOf(state);
    sessions.remove(state);
    if (sessions.isEmpty()) {
      owners.remove(state.key().owner());
    }
    expiries.move(state.key(), state.expiresAt(defaultTimeToLive), Optional.empty());
    state.clear();
    removedLogs.put(state.key(), state.log());
    if (removedLogs.size() > REMOVED_LOGS) {
      Iterator<ChangeLog> oldest = removedLogs.values().iterator();
      forgotten = Math.max(forgotten, oldest.next().last());
      oldest.remove();
    }
  }

  @Override
  public void changed(SessionState state) {
    onChange.accept(state.key());
  }

  @Override
  public void touched(SessionState state, Instant before) {
    moved(state, state.createdAt(), before, state.description());
  }

  @Override
  public void madeEarlier(SessionState state, Instant before) {
    moved(state, before, state.updatedAt(), state.description());
  }

  @Override
  public void described(SessionState state, Description before) {
    moved(state, state.createdAt(), state.updatedAt(), before);
  }

  private void moved(
      SessionState state, Instant createdBefore, Instant updatedBefore, Description before) {
    sessionsOf(state).move(state, createdBefore, updatedBefore, before);
    expiries.move(
        state.key(),
        before.end(updatedBefore, defaultTimeToLive),
        state.expiresAt(defaultTimeToLive));
  }

  /** Removes the newest entry, if there is one. */
  Optional<Entry> removeLast(SessionKey key, Instant now) {
    return findToChange(key, now).flatMap(state -> state.removeLast(now));
  }

  SessionInfo fork(Fork fork, Instant now) {
    SessionKey source = fork.source();
    SessionKey target = fork.target();
    SessionState from = find(source, now).orElseThrow(() -> Conflicts.noSource(source));
    if (findToChange(target, now).isPresent()) {
      throw Conflicts.targetExists(target);
    }
    List<Entry> entries = from.history().upTo(fork.upTo());
    SessionState state =
        create(target, now, Optional.of(new SessionInfo.Parent(source, fork.upTo())));
    state.copy(from.info(Optional.empty()), entries, fork.transform().orElse(null));
    return state.info(defaultTimeToLive);
  }

  Optional<SessionInfo> info(SessionKey key, Instant now) {
    return find(key, now).map(state -> state.info(defaultTimeToLive));
  }

  SessionPage list(SessionQuery query, Instant now) {
    return owners
        .getOrDefault(query.owner(), new OwnerSessions<>())
        .page(query, state -> !hasExpired(state, now), state -> state.info(defaultTimeToLive));
  }

  /** The sessions of one owner that have not expired, newest-updated first. */
  List<SessionKey> keys(String owner, Instant now) {
    return owners.getOrDefault(owner, new OwnerSessions<>()).all().stream()
        .filter(state -> !hasExpired(state, now))
        .map(SessionState::key)
        .toList();
  }

  /** Owners with sessions that have not expired, after a name. */
  Iterator<String> owners(Optional<String> after, Instant now) {
    return (after.isPresent() ? owners.tailMap(after.get(), false) : owners)
        .entrySet().stream()
            .filter(owner -> owner.getValue().all().stream().anyMatch(s -> !hasExpired(s, now)))
            .map(Map.Entry::getKey)
            .iterator();
  }

  /** Removes up to {@code limit} sessions of an owner; whether there may be more. */
  boolean erase(String owner, int limit) {
    for (int i = 0; i < limit; i++) {
      OwnerSessions<SessionState> sessions = owners.get(owner);
      if (sessions == null) {
        return false;
      }
      remove(sessions.any());
    }
    return owners.containsKey(owner);
  }

  /** Removes a session that has expired, if there is one. */
  Optional<SessionKey> sweepOne(Instant now) {
    Optional<SessionKey> due = expiries.due(now);
    due.map(this::stored).ifPresent(this::remove);
    return due;
  }

  /** What a watcher of a session at some version has to be told, and the version it then has. */
  Changes changes(SessionKey key, long version) {
    SessionState state = stored(key);
    ChangeLog log = state == null ? removedLogs.get(key) : state.log();
    long newest = counters.lastVersion();
    if (log == null) {
      // Never existed, or its end is forgotten.
      return version == 0 || (version >= forgotten && version <= newest)
          ? new Changes(List.of(), version)
          : new Changes(List.of(new SessionEvent.Reload(newest)), newest);
    }
    return log.since(version, newest, state == null ? NOTHING : state.history());
  }

  private OwnerSessions<SessionState> sessionsOf(SessionState state) {
    OwnerSessions<SessionState> sessions = owners.get(state.key().owner());
    if (sessions == null) {
      throw new IllegalStateException("session " + state.key() + " is not in the store");
    }
    return sessions;
  }
}
