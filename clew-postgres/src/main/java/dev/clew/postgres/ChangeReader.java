package dev.clew.postgres;

import dev.clew.Entry;
import dev.clew.SessionEvent;
import dev.clew.SessionKey;
import dev.clew.kit.ChangeEvents;
import dev.clew.kit.ChangeEvents.Change;
import dev.clew.spi.Changes;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Reads what happened to a session after a version: rows of {@code items} above it were appended,
 * rows of {@code changes} above it are the other changes. Stateless.
 */
final class ChangeReader {
  private static final int PAGE = 500;

  private ChangeReader() {}

  private record Numbers(long version, long born, long changeFloor) {}

  static Changes since(Db db, SessionKey key, long known) throws SQLException {
    UUID session = Keys.of(key);
    Optional<Numbers> row =
        db.first(
            "SELECT version, born, change_floor FROM {s}.sessions WHERE session = ?",
            found -> new Numbers(found.getLong(1), found.getLong(2), found.getLong(3)),
            session);
    if (row.isEmpty()) {
      // Erased, or cleared long ago and forgotten; new sessions continue from the floor.
      long floor = db.number(0, "SELECT value FROM {s}.meta WHERE name = 'floor'");
      return known == 0 || floor <= known
          ? new Changes(List.of(), known)
          : new Changes(List.of(new SessionEvent.Cleared(floor)), floor);
    }
    Numbers numbers = row.get();
    if (numbers.version() <= known) {
      return new Changes(List.of(), known);
    }
    boolean erasedBetween = known > 0 && known < numbers.born();
    if (erasedBetween || known < numbers.changeFloor()) {
      return new Changes(List.of(new SessionEvent.Reload(numbers.version())), numbers.version());
    }
    List<SessionEvent> events =
        ChangeEvents.merge(
            changes(db, session, known), appended(db, session, known), PAGE, new Now(db, session));
    long last = events.isEmpty() ? numbers.version() : events.get(events.size() - 1).version();
    return new Changes(events, Math.max(known, last), !events.isEmpty());
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

  private static List<Optional<Entry>> appended(Db db, UUID session, long after)
      throws SQLException {
    return entries(db, "i.position > ? ORDER BY i.position LIMIT " + PAGE, session, after);
  }

  private static List<Optional<Entry>> entries(Db db, String which, UUID session, long position)
      throws SQLException {
    return db.all(
        "SELECT {entry} FROM {s}.items i WHERE i.session = ? AND " + which,
        Rows::live,
        session,
        position);
  }

  /** The history at the moment of the read. */
  private record Now(Db db, UUID session) implements ChangeEvents.History<SQLException> {
    @Override
    public Optional<Entry> at(long position) throws SQLException {
      return HistoryReader.at(db, session, position);
    }

    @Override
    public List<Entry> upTo(long position) throws SQLException {
      return entries(db, "i.position <= ? ORDER BY i.position", session, position).stream()
          .flatMap(Optional::stream)
          .toList();
    }
  }
}
