package dev.clew.postgres;

import dev.clew.SessionKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.List;
import java.util.UUID;

/**
 * Removes everything of an owner from tables and indexes. Immutable.
 *
 * <p>Rows are deleted in steps, so that others do not wait; after an interruption, erasing again
 * does the rest. Then a vacuum removes the dead rows. The server's write-ahead log and backups are
 * out of our reach.
 */
record Erasure(Connections connections, Clock clock) {
  private static final int BATCH = 500;
  private static final int SESSIONS = 20;
  private static final List<String> TABLES =
      List.of(
          "sessions",
          "items",
          "archive",
          "operations",
          "changes",
          "leases",
          "quarantine",
          "records",
          "search",
          "unindexed");

  void erase(String owner) {
    while (true) {
      String some = "SELECT id FROM {s}.sessions WHERE owner = ? AND alive LIMIT " + SESSIONS;
      List<String> ids = connections.read(db -> db.texts(some, owner));
      if (ids.isEmpty()) {
        break;
      }
      ids.forEach(id -> eraseSession(new SessionKey(owner, id)));
    }
    while (connections.write(db -> eraseNumbers(db, owner)) > 0) {
      // Another batch.
    }
    while (connections.write(db -> eraseDocuments(db, owner)) == BATCH) {
      // Another batch.
    }
    connections.write(
        db ->
            db.update("DELETE FROM {s}.leases WHERE owner = ?", owner)
                + db.update("DELETE FROM {s}.quarantine WHERE owner = ?", owner));
    vacuum();
  }

  private void eraseSession(SessionKey key) {
    while (connections.write(db -> eraseItems(db, key)) == BATCH) {
      // Another batch.
    }
    connections.write(db -> HistoryWriter.delete(db, key, clock.millis()));
  }

  private static int eraseItems(Db db, SessionKey key) throws SQLException {
    SessionRows.lock(db, List.of(key));
    Long[] erased =
        db.all(
                "DELETE FROM {s}.items WHERE session = ? AND position IN"
                    + " (SELECT position FROM {s}.items WHERE session = ? LIMIT "
                    + BATCH
                    + ") RETURNING position",
                row -> row.getLong(1),
                Keys.of(key),
                Keys.of(key))
            .toArray(Long[]::new);
    SearchIndex.remove(db, Keys.of(key), erased);
    return erased.length;
  }

  /** Removes the rows that are left of cleared sessions; returns how many. */
  private static int eraseNumbers(Db db, String owner) throws SQLException {
    UUID[] sessions =
        db.uuids(
            "SELECT session FROM {s}.sessions WHERE owner = ? AND NOT alive ORDER BY session LIMIT "
                + BATCH
                + " FOR UPDATE",
            owner);
    return sessions.length == 0 ? 0 : SessionRows.forget(db, sessions);
  }

  private static int eraseDocuments(Db db, String owner) throws SQLException {
    return db.update(
        "DELETE FROM {s}.records WHERE owner_key = ? AND name IN"
            + " (SELECT name FROM {s}.records WHERE owner_key = ? LIMIT "
            + BATCH
            + ")",
        Keys.of(owner),
        Keys.of(owner));
  }

  private void vacuum() {
    try (Connection connection = connections.extra();
        Statement statement = connection.createStatement()) {
      String schema = connections.db(connection).names().sql("{s}");
      for (String table : TABLES) {
        statement.execute("VACUUM (INDEX_CLEANUP ON) " + schema + "." + table);
      }
    } catch (SQLException e) {
      throw connections.unavailable(e);
    }
  }
}
