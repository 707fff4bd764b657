package dev.clew.memory;

import dev.clew.ClewException;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.SessionEvent;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionQuery.Order;
import dev.clew.SessionUpdate;
import dev.clew.internal.TextOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * All sessions of a {@link MemoryStore}, the counters behind positions and versions, and the one
 * place where a session changes. Not thread-safe: used under {@link Guard}.
 */
final class MemorySessions {
  /** How many removed sessions are remembered, so that their watchers learn of it. */
  static final int REMOVED_LOGS = 1024;

  private static final History NOTHING = new History();

  private final Optional<Duration> defaultTimeToLive;
  private final Consumer<SessionKey> onChange;
  private final NavigableMap<String, OwnerSessions> owners = new TreeMap<>(TextOrder.BY_CODE_POINT);
  private final Expiries<SessionKey> expiries = new Expiries<>();
  private final Map<SessionKey, ChangeLog> removedLogs = new LinkedHashMap<>();

  private long lastPosition;
  private long lowestPosition;
  private long lastVersion;

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
    OwnerSessions sessions = owners.get(key.owner());
    return sessions == null ? null : sessions.get(key.id());
  }

  private boolean hasExpired(SessionState state, Instant now) {
    return state.expiresAt(defaultTimeToLive).filter(end -> !end.isAfter(now)).isPresent();
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

  SessionState create(SessionKey key, Instant now, Optional<SessionInfo.Parent> parent) {
    ChangeLog log = removedLogs.remove(key);
    SessionState state =
        new SessionState(key, now, parent, log == null ? new ChangeLog(forgotten) : log);
    owners.computeIfAbsent(key.owner(), owner -> new OwnerSessions()).add(state);
    expiries.move(key, Optional.empty(), state.expiresAt(defaultTimeToLive));
    return state;
  }

  void remove(SessionState state) {
    OwnerSessions sessions = sessionsOf(state);
    sessions.remove(state);
    if (sessions.isEmpty()) {
      owners.remove(state.key.owner());
    }
    expiries.move(state.key, state.expiresAt(defaultTimeToLive), Optional.empty());
    changed(state, state.log::cleared);
    removedLogs.put(state.key, state.log);
    if (removedLogs.size() > REMOVED_LOGS) {
      Iterator<ChangeLog> oldest = removedLogs.values().iterator();
      forgotten = Math.max(forgotten, oldest.next().last());
      oldest.remove();
    }
  }

  /** Gives the session its next version and notes the change under it. */
  void changed(SessionState state, LongConsumer note) {
    state.version = ++lastVersion;
    note.accept(state.version);
    onChange.accept(state.key);
  }

  /** Marks the history as changed now; the time it is marked with, which never goes back. */
  Instant touch(SessionState state, Instant now) {
    if (now.isAfter(state.updatedAt)) {
      Optional<Instant> before = state.expiresAt(defaultTimeToLive);
      sessionsOf(state).move(state, Order.UPDATED, () -> state.updatedAt = now);
      expiries.move(state.key, before, state.expiresAt(defaultTimeToLive));
    }
    return state.updatedAt;
  }

  /** Adds entries at the end, as one change. */
  List<Entry> append(SessionState state, List<Draft> drafts, Instant now) {
    Instant at = touch(state, now);
    List<Entry> added = entries(drafts, lastPosition + 1, at);
    lastPosition += drafts.size();
    added.forEach(state.history::put);
    changed(state, version -> state.log.appended(version, added.get(0).position(), lastPosition));
    return added;
  }

  /**
   * Takes out the entries at these positions, as one change; what was written, which is nothing.
   */
  List<Entry> remove(SessionState state, List<Long> positions, Instant now) {
    touch(state, now);
    positions.forEach(state.history::remove);
    changed(state, version -> state.log.removed(version, positions));
    return List.of();
  }

  /** Removes the newest entry, if there is one. */
  Optional<Entry> removeLast(SessionKey key, Instant now) {
    Optional<SessionState> state = findToChange(key, now);
    Optional<Entry> last = state.flatMap(found -> found.history.newest(1).stream().findFirst());
    last.ifPresent(entry -> remove(state.orElseThrow(), List.of(entry.position()), now));
    return last;
  }

  /** Puts entries before all others, without noting a change. */
  List<Entry> prepend(SessionState state, List<Draft> drafts, Instant at) {
    lowestPosition -= drafts.size();
    List<Entry> added = entries(drafts, lowestPosition, at);
    added.forEach(state.history::put);
    return added;
  }

  private static List<Entry> entries(List<Draft> drafts, long first, Instant at) {
    List<Entry> entries = new ArrayList<>(drafts.size());
    for (Draft draft : drafts) {
      entries.add(new Entry(first + entries.size(), draft.item(), at, draft.notes(), false));
    }
    return entries;
  }

  SessionInfo update(SessionKey key, SessionUpdate update, Instant now) {
    Optional<SessionState> found = findToChange(key, now);
    long version = found.map(state -> state.version).orElse(0L);
    if (update.expectedVersion().isPresent() && update.expectedVersion().getAsLong() != version) {
      throw Conflicts.version(key, update.expectedVersion().getAsLong(), version);
    }
    SessionState state = found.orElseGet(() -> create(key, now, Optional.empty()));
    Optional<Instant> before = state.expiresAt(defaultTimeToLive);
    sessionsOf(state)
        .move(state, Order.TITLE, () -> state.description = state.description.with(update));
    expiries.move(key, before, state.expiresAt(defaultTimeToLive));
    changed(state, state.log::described);
    return state.info(defaultTimeToLive);
  }

  SessionInfo fork(SessionKey source, long upTo, SessionKey target, Instant now) {
    SessionState from =
        find(source, now)
            .orElseThrow(
                () ->
                    new ClewException.VersionConflict(
                        "session " + source + " does not exist, so it cannot be forked"));
    if (findToChange(target, now).isPresent()) {
      throw new ClewException.VersionConflict(
          "session " + target + " exists already; fork into a new id");
    }
    List<Entry> entries = from.history.upTo(upTo);
    Instant newest =
        entries.stream().map(Entry::addedAt).reduce(now, (a, b) -> a.isAfter(b) ? a : b);
    SessionState state = create(target, now, Optional.of(new SessionInfo.Parent(source, upTo)));
    touch(state, newest);
    long first = lastPosition + 1;
    for (Entry entry : entries) {
      state.history.put(
          new Entry(++lastPosition, entry.item(), entry.addedAt(), entry.notes(), false));
    }
    changed(
        state,
        version -> {
          if (entries.isEmpty()) {
            state.log.described(version);
          } else {
            state.log.appended(version, first, lastPosition);
          }
        });
    return state.info(defaultTimeToLive);
  }

  Optional<SessionInfo> info(SessionKey key, Instant now) {
    return find(key, now).map(state -> state.info(defaultTimeToLive));
  }

  SessionPage list(SessionQuery query, Instant now) {
    OwnerSessions sessions = owners.getOrDefault(query.owner(), new OwnerSessions());
    Iterator<SessionState> found = sessions.list(query);
    List<SessionInfo> page = new ArrayList<>();
    Optional<String> next = Optional.empty();
    SessionState last = null;
    while (found.hasNext() && next.isEmpty()) {
      SessionState state = found.next();
      if (hasExpired(state, now)) {
        continue;
      }
      if (last != null && page.size() == query.limit()) {
        next = Optional.of(last.place(query.order()).encode());
      } else {
        page.add(state.info(defaultTimeToLive));
        last = state;
      }
    }
    return new SessionPage(page, next);
  }

  /** The sessions of one owner that have not expired, newest-updated first. */
  List<SessionKey> keys(String owner, Instant now) {
    OwnerSessions sessions = owners.getOrDefault(owner, new OwnerSessions());
    return sessions.all().stream()
        .filter(state -> !hasExpired(state, now))
        .map(state -> state.key)
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
      OwnerSessions sessions = owners.get(owner);
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
  Watchers.News news(SessionKey key, long version) {
    SessionState state = stored(key);
    ChangeLog log = state == null ? removedLogs.get(key) : state.log;
    if (log == null) {
      // Never existed, or its end is forgotten.
      return version == 0 || (version >= forgotten && version <= lastVersion)
          ? new Watchers.News(List.of(), version)
          : new Watchers.News(List.of(new SessionEvent.Reload(lastVersion)), lastVersion);
    }
    return log.since(version, lastVersion, state == null ? NOTHING : state.history);
  }

  private OwnerSessions sessionsOf(SessionState state) {
    OwnerSessions sessions = owners.get(state.key.owner());
    if (sessions == null) {
      throw new IllegalStateException("session " + state.key + " is not in the store");
    }
    return sessions;
  }
}
