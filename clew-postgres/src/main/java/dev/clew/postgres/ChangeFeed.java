package dev.clew.postgres;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.SessionEvent;
import dev.clew.SessionKey;
import dev.clew.Watch;
import dev.clew.kit.ChangeEvents;
import dev.clew.kit.ChangeEvents.Change;
import dev.clew.kit.Watchers;
import dev.clew.kit.Watchers.News;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Delivers changes of sessions to those who watch them. Thread-safe.
 *
 * <p>Nothing is queued for a watcher. It has the version up to which it knows everything, and what
 * it has yet to be told is read from the tables: items above that number were appended, rows of
 * {@code changes} above it say what else happened. Our own commits wake it at once; {@link
 * Listener} hears of those of others.
 */
final class ChangeFeed {
  private static final int PAGE = 500;

  private final Connections connections;
  private final Watchers watchers;
  private final Listener listener;

  ChangeFeed(Connections connections) {
    this.connections = connections;
    this.watchers = new Watchers(this::news);
    this.listener = new Listener(connections, watchers);
  }

  Watch watch(SessionKey key, long version, Consumer<SessionEvent> to) {
    Watch watch = watchers.watch(key, version, to);
    listener.start();
    return watch;
  }

  /** After a commit of our own. */
  void changed(SessionKey key) {
    watchers.changed(key);
  }

  /** After changes of sessions that are not known one by one. */
  void changedAny() {
    watchers.watched().forEach(watchers::changed);
  }

  private News news(SessionKey key, long known) {
    try {
      return connections.snapshot(db -> since(db, key, known));
    } catch (ClewException.StoreUnavailable e) {
      listener.lookAgain(key);
      throw e;
    }
  }

  private record Numbers(long version, long born, long changeFloor) {}

  private static News since(Db db, SessionKey key, long known) throws SQLException {
    UUID session = Keys.of(key);
    Optional<Numbers> row =
        db.first(
            "SELECT version, born, change_floor FROM {s}.sessions WHERE session = ?",
            found -> new Numbers(found.getLong(1), found.getLong(2), found.getLong(3)),
            session);
    if (row.isEmpty()) {
      // Erased, or forgotten long after it was cleared; new ones count on from the floor.
      long floor = db.number(0, "SELECT value FROM {s}.meta WHERE name = 'floor'");
      return known == 0 || floor <= known
          ? new News(List.of(), known, false)
          : new News(List.of(new SessionEvent.Cleared(floor)), floor, false);
    }
    Numbers numbers = row.get();
    if (numbers.version() <= known) {
      return new News(List.of(), known, false);
    }
    boolean erasedBetween = known > 0 && known < numbers.born();
    if (erasedBetween || known < numbers.changeFloor()) {
      return new News(
          List.of(new SessionEvent.Reload(numbers.version())), numbers.version(), false);
    }
    List<SessionEvent> events =
        ChangeEvents.merge(
            changes(db, session, known), appended(db, session, known), PAGE, new Now(db, session));
    long last = events.isEmpty() ? numbers.version() : events.get(events.size() - 1).version();
    return new News(events, Math.max(known, last), !events.isEmpty());
  }

  private static List<Change> changes(Db db, UUID session, long after) throws SQLException {
    return db.all(
        "SELECT version, kind, position FROM {s}.changes WHERE session = ? AND version > ?"
            + " ORDER BY version LIMIT "
            + PAGE,
        row -> new Change(row.getLong(1), row.getString(2), row.getLong(3)),
        session,
        after);
  }

  private static List<Entry> appended(Db db, UUID session, long after) throws SQLException {
    return entries(db, "i.position > ? ORDER BY i.position LIMIT " + PAGE, session, after);
  }

  private static List<Entry> entries(Db db, String which, UUID session, long position)
      throws SQLException {
    return db
        .all(
            "SELECT " + Rows.COLUMNS + " FROM {s}.items i WHERE i.session = ? AND " + which,
            Rows::live,
            session,
            position)
        .stream()
        .flatMap(Optional::stream)
        .toList();
  }

  /** The history as it is at the moment of the look. */
  private record Now(Db db, UUID session) implements ChangeEvents.History<SQLException> {
    @Override
    public Optional<Entry> at(long position) throws SQLException {
      return HistoryReader.at(db, session, position);
    }

    @Override
    public List<Entry> upTo(long position) throws SQLException {
      return entries(db, "i.position <= ? ORDER BY i.position", session, position);
    }
  }

  void close() {
    listener.close();
    watchers.close();
  }
}
