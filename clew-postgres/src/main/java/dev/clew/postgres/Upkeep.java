package dev.clew.postgres;

import dev.clew.kit.IdleScheduler;
import dev.clew.kit.ServerClock;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Work in the background: indexing, expiry, forgetting. Thread-safe.
 *
 * <p>Every process that writes does its share in small transactions, skips what others have locked,
 * and pauses while it writes.
 */
final class Upkeep {
  private static final Duration INDEX_SLICE = Duration.ofMillis(200);
  private static final int BATCH = 100;
  private static final long OPERATION_MEMORY_MS = Duration.ofDays(2).toMillis();
  private static final long CHANGE_MEMORY_MS = Duration.ofDays(1).toMillis();
  private static final long NUMBER_MEMORY_MS = Duration.ofDays(30).toMillis();

  private final Connections connections;
  private final Clock clock;
  private final IdleScheduler times;

  Upkeep(Connections connections, SearchIndex index, Clock clock) {
    this.connections = connections;
    this.clock = clock;
    this.times =
        new IdleScheduler(
            "clew-postgres-upkeep", () -> index.catchUp(INDEX_SLICE), this::sweepAndForget);
  }

  /** Called after a commit of a user's write. */
  void written() {
    times.written();
  }

  private void sweepAndForget() {
    sweep(BATCH);
    forget();
    if (clock instanceof ServerClock server) {
      server.measure();
    }
  }

  /** Removes at most {@code limit} expired sessions and documents; returns how many. */
  int sweep(int limit) {
    return connections.write(
        db -> {
          long now = clock.millis();
          int swept = 0;
          for (SessionRow row : lockFree(db, expired(db, now, limit))) {
            if (row.expired(now)) {
              SessionRows.delete(db, row, now);
              swept++;
            }
          }
          return swept
              + db.update(
                  "DELETE FROM {s}.records WHERE (owner_key, name) IN"
                      + " (SELECT owner_key, name FROM {s}.records WHERE expires <= ? LIMIT ?"
                      + " FOR UPDATE SKIP LOCKED)",
                  now,
                  limit - swept);
        });
  }

  /** Sessions with their own time to live are found by expiry, others owner by owner by age. */
  private static List<UUID> expired(Db db, long now, int limit) throws SQLException {
    List<UUID> found =
        new ArrayList<>(
            db.all(
                "SELECT session FROM {s}.sessions WHERE alive AND ttl IS NOT NULL"
                    + " AND updated + ttl <= ? LIMIT ?",
                row -> row.getObject(1, UUID.class),
                now,
                limit));
    Optional<String> owner = Optional.of("");
    while (db.names().hasTimeToLive() && owner.isPresent() && found.size() < limit) {
      found.addAll(
          db.all(
              "SELECT session FROM {s}.sessions WHERE owner = ? AND alive AND ttl IS NULL"
                  + " AND updated <= ? - {ttl} LIMIT ?",
              row -> row.getObject(1, UUID.class),
              owner.get(),
              now,
              limit - found.size()));
      owner = Owners.nextWithSessions(db, owner.get());
    }
    return found;
  }

  /** Locks those of the rows that nobody has locked. */
  private static List<SessionRow> lockFree(Db db, List<UUID> sessions) throws SQLException {
    return db.all(
        "SELECT "
            + SessionRow.COLUMNS
            + " FROM {s}.sessions s WHERE s.session = ANY (?) AND s.alive"
            + " ORDER BY s.session FOR UPDATE SKIP LOCKED",
        SessionRow::read,
        (Object) sessions.toArray(UUID[]::new));
  }

  private void forget() {
    long now = clock.millis();
    connections.write(
        db ->
            db.update(
                "DELETE FROM {s}.operations WHERE (session, operation) IN"
                    + " (SELECT session, operation FROM {s}.operations WHERE done_at < ?"
                    + " LIMIT 1000 FOR UPDATE SKIP LOCKED)",
                now - OPERATION_MEMORY_MS));
    connections.write(db -> forgetChanges(db, now - CHANGE_MEMORY_MS));
    connections.write(db -> forgetNumbers(db, now - NUMBER_MEMORY_MS));
    connections.write(db -> db.update("DELETE FROM {s}.listeners WHERE until < now()"));
  }

  /** Forgets old changes; a watcher that missed them has to reload. */
  private static int forgetChanges(Db db, long before) throws SQLException {
    UUID[] sessions =
        db.uuids(
            "SELECT session FROM {s}.sessions s WHERE session IN"
                + " (SELECT session FROM {s}.changes WHERE at < ? LIMIT "
                + BATCH
                + ") ORDER BY session FOR UPDATE SKIP LOCKED",
            before);
    db.update(
        "UPDATE {s}.sessions s SET change_floor = greatest(s.change_floor, c.version)"
            + " FROM (SELECT session, max(version) AS version FROM {s}.changes"
            + " WHERE session = ANY (?) AND at < ? GROUP BY session) c"
            + " WHERE s.session = c.session",
        sessions,
        before);
    return db.update(
        "DELETE FROM {s}.changes c USING {s}.sessions s WHERE c.session = ANY (?)"
            + " AND s.session = c.session AND c.version <= s.change_floor",
        (Object) sessions);
  }

  /** Removes rows of sessions that were cleared long ago. */
  private static int forgetNumbers(Db db, long before) throws SQLException {
    UUID[] sessions =
        db.uuids(
            "SELECT session FROM {s}.sessions WHERE NOT alive AND updated < ? ORDER BY session"
                + " LIMIT 1000 FOR UPDATE SKIP LOCKED",
            before);
    return sessions.length == 0 ? 0 : SessionRows.forget(db, sessions);
  }

  void close() {
    times.close();
  }
}
