package dev.clew.memory;

import dev.clew.Commit;
import dev.clew.Entry;
import dev.clew.Receipt;
import dev.clew.SessionEvent;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.kit.CommitEffect;
import dev.clew.kit.CommitEffect.Sequence;
import dev.clew.kit.Conflicts;
import dev.clew.kit.SessionInfos;
import dev.clew.kit.TextOrder;
import dev.clew.kit.state.ChangeLog;
import dev.clew.kit.state.Expiries;
import dev.clew.kit.state.History;
import dev.clew.kit.state.OwnerSessions;
import dev.clew.kit.state.SessionState;
import dev.clew.spi.Changes;
import dev.clew.spi.Fork;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * All sessions of a {@link MemoryStore}, whose positions and versions come from one sequence. Not
 * thread-safe: used under the guard of the store.
 */
final class MemorySessions {
  /** How many removed sessions are remembered, so that their watchers learn of it. */
  static final int REMOVED_LOGS = 1024;

  private static final History NOTHING = new History();

  private final Optional<Duration> timeToLive;
  private final Consumer<SessionKey> onChange;
  private final Map<SessionKey, SessionState> sessions = new HashMap<>();
  private final NavigableMap<String, OwnerSessions> owners = new TreeMap<>(TextOrder.BY_CODE_POINT);
  private final Expiries<SessionKey> expiries = new Expiries<>();
  private final Map<SessionKey, ChangeLog> removedLogs = new LinkedHashMap<>();
  private Sequence sequence = Sequence.START;

  /** Logs of removed sessions are forgotten up to this version. */
  private long forgotten;

  MemorySessions(Optional<Duration> timeToLive, Consumer<SessionKey> onChange) {
    this.timeToLive = timeToLive;
    this.onChange = onChange;
  }

  /** The session, unless it does not exist or has expired. */
  Optional<SessionState> find(SessionKey key, Instant now) {
    return Optional.ofNullable(sessions.get(key))
        .filter(state -> !SessionInfos.hasExpired(state.info(), timeToLive, now));
  }

  /** The session to change; an expired one is removed first. */
  private Optional<SessionState> findToChange(SessionKey key, Instant now) {
    Optional<SessionState> found = find(key, now);
    if (found.isEmpty() && sessions.containsKey(key)) {
      remove(key);
    }
    return found;
  }

  private SessionState findOrCreate(SessionKey key, Instant now) {
    return findToChange(key, now)
        .orElseGet(
            () -> {
              ChangeLog log = removedLogs.get(key);
              return new SessionState(key, log == null ? new ChangeLog(forgotten, true) : log);
            });
  }

  Receipt commit(
      SessionKey key, Commit commit, String digest, ToLongFunction<String> fence, Instant now) {
    SessionState state = findOrCreate(key, now);
    CommitEffect effect = state.commit(commit, digest, sequence, fence, timeToLive, now);
    if (effect.isChange()) {
      changed(state, effect.sequence());
    }
    return effect.receipt();
  }

  SessionInfo update(SessionKey key, SessionUpdate update, Instant now) {
    SessionState state = findOrCreate(key, now);
    changed(state, state.update(update, sequence, timeToLive, now));
    return shown(state);
  }

  private void changed(SessionState state, Sequence next) {
    sequence = next;
    SessionKey key = state.key();
    sessions.put(key, state);
    removedLogs.remove(key);
    SessionInfo info = shown(state);
    SessionInfo before =
        owners.computeIfAbsent(key.owner(), owner -> new OwnerSessions()).put(info);
    expiries.move(key, end(before), end(info));
    onChange.accept(key);
  }

  private Optional<Instant> end(@Nullable SessionInfo shown) {
    return shown == null ? Optional.empty() : SessionInfos.end(shown, timeToLive);
  }

  private SessionInfo shown(SessionState state) {
    return SessionInfos.shown(state.info(), timeToLive);
  }

  /** Removes a session; returns whether it existed. */
  boolean delete(SessionKey key, Instant now) {
    boolean existed = findToChange(key, now).isPresent();
    remove(key);
    return existed;
  }

  private void remove(SessionKey key) {
    SessionState state = sessions.remove(key);
    OwnerSessions all = owners.get(key.owner());
    if (state == null || all == null) {
      return;
    }
    expiries.move(key, end(all.remove(key.id())), Optional.empty());
    if (all.isEmpty()) {
      owners.remove(key.owner());
    }
    sequence = state.clear(sequence);
    removedLogs.put(key, state.log());
    if (removedLogs.size() > REMOVED_LOGS) {
      Iterator<ChangeLog> oldest = removedLogs.values().iterator();
      forgotten = Math.max(forgotten, oldest.next().last());
      oldest.remove();
    }
    onChange.accept(key);
  }

  SessionInfo fork(Fork fork, Instant now) {
    SessionState source =
        find(fork.source(), now).orElseThrow(() -> Conflicts.noSource(fork.source()));
    if (findToChange(fork.target(), now).isPresent()) {
      throw Conflicts.targetExists(fork.target());
    }
    List<Entry> entries = source.history().upTo(fork.upTo());
    SessionInfo described = update(fork.target(), SessionInfos.forked(fork, source.info()), now);
    commit(
        fork.target(), SessionState.copy(fork, entries, sequence.last() + 1), "", none -> 0, now);
    return info(fork.target(), now).orElse(described);
  }

  Optional<SessionInfo> info(SessionKey key, Instant now) {
    return find(key, now).map(this::shown);
  }

  SessionPage list(SessionQuery query, Instant now) {
    return owners
        .getOrDefault(query.owner(), new OwnerSessions())
        .page(query, info -> isLive(info, now));
  }

  private boolean isLive(SessionInfo info, Instant now) {
    return !SessionInfos.hasExpired(info, timeToLive, now);
  }

  /** Owners with sessions that have not expired, after a name. */
  Iterator<String> owners(Optional<String> after, Instant now) {
    return (after.isPresent() ? owners.tailMap(after.get(), false) : owners)
        .entrySet().stream()
            .filter(owner -> owner.getValue().all().anyMatch(info -> isLive(info, now)))
            .map(Map.Entry::getKey)
            .iterator();
  }

  /** Removes up to {@code limit} sessions of an owner; returns whether there may be more. */
  boolean erase(String owner, int limit) {
    OwnerSessions all = owners.get(owner);
    if (all != null) {
      all.all().map(SessionInfo::key).limit(limit).toList().forEach(this::remove);
    }
    return owners.containsKey(owner);
  }

  /** Removes a session that has expired, if there is one. */
  Optional<SessionKey> sweepOne(Instant now) {
    Optional<SessionKey> due = expiries.due(now, 1).stream().findFirst();
    due.ifPresent(this::remove);
    return due;
  }

  /** What happened to a session after a version. */
  Changes changes(SessionKey key, long version) {
    SessionState state = sessions.get(key);
    ChangeLog log = state == null ? removedLogs.get(key) : state.log();
    if (log != null) {
      return log.since(version, sequence.last(), state == null ? NOTHING : state.history());
    }
    // It never existed, or its end is forgotten.
    return version == 0 || (version >= forgotten && version <= sequence.last())
        ? new Changes(List.of(), version)
        : new Changes(List.of(new SessionEvent.Reload(sequence.last())), sequence.last());
  }
}
