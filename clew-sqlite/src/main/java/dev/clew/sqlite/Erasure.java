package dev.clew.sqlite;

import dev.clew.ClewException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Removes everything of an owner from the file: rows, index, quarantine, log. Immutable.
 *
 * <p>Rows are deleted in steps, so that others do not wait. Then {@code optimize} rewrites the
 * index, {@code VACUUM} the file, and a truncating checkpoint empties the log; only {@code VACUUM}
 * makes others wait. After an interruption, erasing again does the rest.
 *
 * <p>{@code secure_delete} alone is not enough: SQLite leaves copies of rows in the unused space of
 * pages that it splits or merges, and other programs delete without it.
 */
record Erasure(
    Connections connections, Committer committer, SearchIndex index, SqliteErrors errors) {
  private static final int BATCH = 500;
  private static final int SESSIONS = 20;
  private static final int CHECKPOINT_TRIES = 20;
  private static final Duration NO_LIMIT = Duration.ofDays(1);

  /** Whether a session id belongs to an owner; as in the sessions table. */
  private static final String OWNED =
      "CASE WHEN substr(session_id, 1, 5) = 'clew:' AND instr(substr(session_id, 6), ':') > 0"
          + " THEN substr(session_id, 6, instr(substr(session_id, 6), ':') - 1) ELSE '' END = ?";

  void erase(String owner) {
    String column = KeyText.owner(owner);
    while (true) {
      String some = "SELECT session_id FROM {sessions} WHERE clew_owner = ? LIMIT " + SESSIONS;
      List<String> ids = connections.read(db -> db.texts(some, column));
      if (ids.isEmpty()) {
        break;
      }
      ids.forEach(this::eraseSession);
    }
    while (committer.commit(tx -> eraseDocuments(tx, owner)) == BATCH) {
      // Another batch.
    }
    committer.commit(tx -> eraseTraces(tx, column));
    index.catchUp(NO_LIMIT);
    index.optimize();
    if (!connections.inMemory()) {
      committer.alone("VACUUM");
      emptyLog();
    }
  }

  private void eraseSession(String id) {
    while (committer.commit(tx -> eraseMessages(tx, id)) == BATCH) {
      // Another batch.
    }
    committer.commit(tx -> SessionRows.delete(tx, id));
  }

  private static int eraseMessages(Tx tx, String id) throws SQLException {
    tx.keepTriggersQuiet();
    tx.db.update(
        "INSERT OR IGNORE INTO {our}unindexed (position)"
            + " SELECT id FROM {messages} WHERE session_id = ? ORDER BY id LIMIT "
            + BATCH,
        id);
    return tx.db.update(
        "DELETE FROM {messages} WHERE id IN (SELECT id FROM {messages} WHERE session_id = ?"
            + " ORDER BY id LIMIT "
            + BATCH
            + ")",
        id);
  }

  private static int eraseDocuments(Tx tx, String owner) throws SQLException {
    return tx.db.update(
        "DELETE FROM {our}records WHERE version IN"
            + " (SELECT version FROM {our}records WHERE owner = ? LIMIT "
            + BATCH
            + ")",
        owner);
  }

  private static Boolean eraseTraces(Tx tx, String owner) throws SQLException {
    for (String table : List.of("leases", "changes", "operations", "quarantine", "archive")) {
      tx.db.update("DELETE FROM {our}" + table + " WHERE " + OWNED, owner);
    }
    return true;
  }

  private void emptyLog() {
    try (@Nullable Db db = connections.extra()) {
      for (int i = 0; db != null; i++) {
        Optional<Integer> busy = db.first("PRAGMA wal_checkpoint(TRUNCATE)", row -> row.getInt(1));
        if (busy.equals(Optional.of(0))) {
          return;
        }
        if (i == CHECKPOINT_TRIES) {
          throw new ClewException.StoreUnavailable(
              errors.where()
                  + ": everything is erased from the tables, but readers keep the write-ahead log"
                  + " from being emptied; erase again when they are done",
              null);
        }
      }
    } catch (SQLException e) {
      throw errors.unavailable(e);
    }
  }
}
