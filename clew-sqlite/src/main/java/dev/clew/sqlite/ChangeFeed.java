package dev.clew.sqlite;

import dev.clew.Entry;
import dev.clew.SessionEvent;
import dev.clew.SessionKey;
import dev.clew.kit.ChangeEvents;
import dev.clew.kit.ChangeEvents.Change;
import dev.clew.kit.ChangeWatch;
import dev.clew.spi.Changes;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what happened to a session after a version, and finds commits of other processes.
 * Thread-safe.
 *
 * <p>Rows above the version were appended; rows of {@code clew_changes} above it are the other
 * changes. While a session is watched, a thread looks every {@value #LOOK_EVERY_NANOS} ns.
 */
final class ChangeFeed extends ChangeWatch {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeFeed.class);
  private static final long LOOK_EVERY_NANOS = 100_000_000;
  private static final long PAUSE_NANOS = 1_000_000_000;
  private static final int PAGE = 500;
  private static final String LAST_NUMBER =
      "SELECT seq FROM sqlite_sequence WHERE name = '{messages}'";

  /** How many changes other than appends are kept, over all sessions. */
  static final int KEPT_CHANGES = 10_000;

  private final Connections connections;
  private final TailCache cache;

  /** Watched sessions that no longer exist, with the version at which that was reported. */
  private final Map<SessionKey, Long> gone = new ConcurrentHashMap<>();

  private volatile boolean woken;
  private boolean failed; // used by the thread only

  ChangeFeed(Connections connections, TailCache cache) {
    super("clew-sqlite-watch");
    this.connections = connections;
    this.cache = cache;
  }

  /** Called after commits of our own to any sessions. */
  void wake() {
    woken = true;
    unpark();
  }

  @Override
  protected void run() {
    long seen = -1;
    while (!isClosed()) {
      boolean again = failed;
      failed = false;
      if (!woken) {
        LockSupport.parkNanos(this, again ? PAUSE_NANOS : LOOK_EVERY_NANOS);
      }
      boolean work = woken || again;
      woken = false;
      try {
        Set<SessionKey> watched = watched();
        gone.keySet().retainAll(watched);
        if (!watched.isEmpty()) {
          long epoch = cache.epoch();
          work |= epoch != seen;
          seen = epoch;
        }
        if (work) {
          watched.forEach(this::changed);
        }
      } catch (RuntimeException | Error e) { // keep the thread alive
        if (!isClosed()) {
          failed = true;
          LOG.warn("could not look for changes; looking again", e);
        }
      }
    }
  }

  /** What happened to a session after a version. */
  Changes changes(SessionKey key, long known) {
    return connections.read(db -> db.snapshot(snapshot -> changes(snapshot, key, known)));
  }

  private Changes changes(Db db, SessionKey key, long known) throws SQLException {
    String id = KeyText.of(key);
    long version = db.number(0, "SELECT clew_version FROM {sessions} WHERE session_id = ?", id);
    List<Change> changes = changes(db, id, known);
    if (version == 0 && changes.isEmpty()) {
      return gone(db, key, known);
    }
    gone.remove(key);
    long newest =
        Math.max(version, changes.isEmpty() ? 0 : changes.get(changes.size() - 1).version());
    if (newest <= known) {
      return new Changes(List.of(), known);
    }
    if (known < db.number(0, "SELECT value FROM {our}meta WHERE name = 'change_floor'")) {
      return new Changes(List.of(new SessionEvent.Reload(newest)), newest);
    }
    List<Optional<Entry>> appended =
        entries(db, "session_id = ? AND id > ? ORDER BY id LIMIT " + PAGE, id, known);
    List<SessionEvent> events =
        ChangeEvents.merge(changes, appended, PAGE, new CurrentHistory(db, id));
    boolean more = changes.size() == PAGE || appended.size() == PAGE;
    if (events.isEmpty() || !more) {
      return new Changes(events, more ? known : newest);
    }
    return new Changes(events, events.get(events.size() - 1).version(), true);
  }

  /** A session that does not exist and has no known change after a version. */
  private Changes gone(Db db, SessionKey key, long known) throws SQLException {
    @Nullable Long reported = gone.get(key);
    if (known == 0 || (reported != null && known >= reported) || isCleared(db, key, known)) {
      return new Changes(List.of(), known);
    }
    // Erased, or the change that cleared it is forgotten.
    long version = reported != null ? reported : db.number(known, LAST_NUMBER);
    if (watched().contains(key)) {
      gone.put(key, version);
    }
    return new Changes(List.of(new SessionEvent.Cleared(version)), version);
  }

  /** Whether the last change up to a version cleared the session. */
  private static boolean isCleared(Db db, SessionKey key, long known) throws SQLException {
    return db.first(
            "SELECT kind FROM {our}changes WHERE session_id = ? AND seq <= ?"
                + " ORDER BY seq DESC LIMIT 1",
            row -> row.getString(1),
            KeyText.of(key),
            known)
        .equals(Optional.of(ChangeEvents.CLEARED));
  }

  /** The history at the moment of the read. Not thread-safe. */
  private record CurrentHistory(Db db, String id) implements ChangeEvents.History<SQLException> {
    @Override
    public Optional<Entry> at(long position) throws SQLException {
      return HistoryReader.at(db, position);
    }

    @Override
    public List<Entry> upTo(long position) throws SQLException {
      return readable(entries(db, "session_id = ? AND id <= ? ORDER BY id", id, position));
    }
  }

  private static List<Change> changes(Db db, String id, long after) throws SQLException {
    return db.all(
        "SELECT seq, kind, position FROM {our}changes WHERE session_id = ? AND seq > ?"
            + " ORDER BY seq LIMIT "
            + PAGE,
        row -> new Change(row.getLong(1), row.getString(2), row.getLong(3)),
        id,
        after);
  }

  private static List<Optional<Entry>> entries(Db db, String condition, Object... values)
      throws SQLException {
    return db.all("SELECT {entry} FROM {messages} WHERE " + condition, Rows::entry, values);
  }

  private static List<Entry> readable(List<Optional<Entry>> entries) {
    return entries.stream().flatMap(Optional::stream).toList();
  }
}
