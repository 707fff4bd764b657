package dev.clew.sqlite;

import dev.clew.kit.IdleScheduler;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Work in the background: indexing, expiry, forgetting. Thread-safe.
 *
 * <p>It uses small transactions and pauses while somebody writes.
 */
final class Upkeep {
  private static final Duration INDEX_SLICE = Duration.ofMillis(200);
  private static final int SWEEP_BATCH = 100;
  private static final long OPERATION_MEMORY_MS = Duration.ofDays(2).toMillis();

  private final Committer committer;
  private final IdleScheduler times;

  Upkeep(Committer committer, SearchIndex index) {
    this.committer = committer;
    this.times =
        new IdleScheduler(
            "clew-sqlite-upkeep",
            () -> index.catchUp(INDEX_SLICE),
            () -> {
              sweep(SWEEP_BATCH);
              forget();
            });
  }

  /** Called after a commit of a user's write. */
  void written() {
    times.written();
  }

  /** Removes at most {@code limit} expired sessions and documents; returns how many. */
  int sweep(int limit) {
    return committer.commit(
        tx -> {
          List<String> expired = expired(tx, limit);
          for (String id : expired) {
            SessionRows.delete(tx, id);
          }
          int records =
              tx.db.update(
                  "DELETE FROM {our}records WHERE version IN (SELECT version FROM {our}records"
                      + " WHERE expires <= ? LIMIT ?)",
                  tx.now,
                  limit - expired.size());
          return expired.size() + records;
        });
  }

  /** Sessions with their own time to live are found by expiry, others owner by owner by age. */
  private static List<String> expired(Tx tx, int limit) throws SQLException {
    List<String> ids =
        tx.db.texts(
            "SELECT session_id FROM {sessions} WHERE clew_ttl IS NOT NULL"
                + " AND clew_updated + clew_ttl <= ? LIMIT ?",
            tx.now,
            limit);
    String owner = "";
    while (!tx.db.names().ttl().equals("NULL") && ids.size() < limit) {
      ids.addAll(
          tx.db.texts(
              "SELECT session_id FROM {sessions} WHERE clew_owner = ? AND clew_updated <= ? - {ttl}"
                  + " AND clew_ttl IS NULL LIMIT ?",
              owner,
              tx.now,
              limit - ids.size()));
      Optional<String> next = Owners.after(tx.db, owner);
      if (next.isEmpty()) {
        break;
      }
      owner = next.get();
    }
    return ids;
  }

  /** Forgets operation ids after two days, and all but the last changes. */
  private void forget() {
    committer.commit(
        tx -> {
          tx.db.update(
              "DELETE FROM {our}operations WHERE (session_id, operation_id) IN"
                  + " (SELECT session_id, operation_id FROM {our}operations WHERE done_at < ?"
                  + " LIMIT 1000)",
              tx.now - OPERATION_MEMORY_MS);
          return forgetChanges(tx);
        });
  }

  private static Boolean forgetChanges(Tx tx) throws SQLException {
    long floor =
        tx.db.number(
            0,
            "SELECT seq FROM {our}changes ORDER BY seq DESC LIMIT 1 OFFSET "
                + ChangeFeed.KEPT_CHANGES);
    if (floor > 0) {
      tx.db.update("DELETE FROM {our}changes WHERE seq <= ?", floor);
      tx.db.update(
          "UPDATE {our}meta SET value = ? WHERE name = 'change_floor' AND value < ?", floor, floor);
    }
    return true;
  }

  void close() {
    times.close();
  }
}
