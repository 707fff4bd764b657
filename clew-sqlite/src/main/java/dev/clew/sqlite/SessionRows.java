package dev.clew.sqlite;

import dev.clew.Entry;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.json.Json;
import dev.clew.kit.Conflicts;
import dev.clew.kit.Pages;
import dev.clew.kit.TimeToLive;
import dev.clew.spi.Fork;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes rows of sessions, inside a transaction of the {@link Committer}. Stateless. */
final class SessionRows {
  private SessionRows() {}

  static void checkVersion(SessionKey key, SessionHead row, long expected) {
    if (row.version() != expected) {
      throw Conflicts.version(key, expected, row.version());
    }
  }

  /** The row, for a write that follows; an expired session is removed first. */
  static SessionHead liveForWriting(Tx tx, String id) throws SQLException {
    SessionHead head = SessionHead.find(tx.db, id);
    if (head.expires() <= tx.now) {
      delete(tx, id);
      return SessionHead.NONE;
    }
    return head;
  }

  /** Now, or the last update if that is later: the time of a session never goes back. */
  static long latest(Tx tx, SessionHead before) {
    return Math.max(tx.now, before.updated());
  }

  /** Records a change of the history that happens now. */
  static void changed(Tx tx, String id, SessionHead before, long version, long items, long bytes)
      throws SQLException {
    changed(tx, id, before, version, items, bytes, new long[] {latest(tx, before)}, null);
  }

  /** Records a change of the history at the last of the given times. */
  static void changed(
      Tx tx,
      String id,
      SessionHead before,
      long version,
      long items,
      long bytes,
      long[] times,
      @Nullable Long timeToLive)
      throws SQLException {
    if (!changedIf(tx, id, before, version, items, bytes, times, timeToLive)) {
      throw new IllegalStateException("the row of session " + id + " has changed meanwhile");
    }
  }

  /**
   * The same, creating the row if needed; returns false if the row is not as {@code before} says.
   *
   * @param timeToLive the time to live in milliseconds of a new session, if that is set
   */
  static boolean changedIf(
      Tx tx,
      String id,
      SessionHead before,
      long version,
      long items,
      long bytes,
      long[] times,
      @Nullable Long timeToLive)
      throws SQLException {
    long last = times[times.length - 1];
    if (!before.exists()) {
      insert(tx, id, version, items, bytes, timeToLive, times[0], last);
      return true;
    }
    long time = Math.max(last, before.updated());
    int found =
        tx.db.update(
            "UPDATE {sessions} SET updated_at = ?, clew_version = ?, clew_count = clew_count + ?,"
                + " clew_bytes = clew_bytes + ?, clew_updated = ?"
                + " WHERE session_id = ? AND clew_version = ?",
            Tx.sqlTime(time),
            version,
            items,
            bytes,
            time,
            id,
            before.version());
    return found > 0;
  }

  /** Updates a session to now that would be expired because of given times. */
  static void renew(Tx tx, String id) throws SQLException {
    tx.db.update(
        "UPDATE {sessions} SET updated_at = ?, clew_updated = ? WHERE session_id = ? AND NOT"
            + " {live}",
        Tx.sqlTime(tx.now),
        tx.now,
        id,
        tx.now);
  }

  private static void insert(
      Tx tx,
      String id,
      long version,
      long items,
      long bytes,
      @Nullable Long timeToLive,
      long created,
      long updated)
      throws SQLException {
    tx.db.update(
        "INSERT INTO {sessions} (session_id, created_at, updated_at, clew_version, clew_count,"
            + " clew_bytes, clew_created, clew_updated, clew_ttl)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        id,
        Tx.sqlTime(created),
        Tx.sqlTime(updated),
        version,
        items,
        bytes,
        created,
        updated,
        timeToLive);
  }

  /** Removes a session with everything but its leases; returns whether there was one. */
  static boolean delete(Tx tx, String id) throws SQLException {
    if (SessionRow.find(tx.db, id).isEmpty()) {
      return false;
    }
    tx.keepTriggersQuiet();
    tx.db.update(
        "INSERT OR IGNORE INTO {our}unindexed (position)"
            + " SELECT id FROM {messages} WHERE session_id = ?"
            + " UNION ALL SELECT position FROM {our}archive WHERE session_id = ?",
        id,
        id);
    tx.db.deleteInParts("{messages}", "session_id = ?", id);
    tx.db.deleteInParts("{our}archive", "session_id = ?", id);
    tx.db.update("DELETE FROM {our}operations WHERE session_id = ?", id);
    tx.db.update("DELETE FROM {our}quarantine WHERE session_id = ?", id);
    tx.db.update("DELETE FROM {our}changes WHERE session_id = ?", id);
    tx.db.update("DELETE FROM {sessions} WHERE session_id = ?", id);
    tx.change(id, "cleared", 0);
    return true;
  }

  static SessionInfo fork(Tx tx, Fork fork) throws SQLException {
    SessionRow original = forkable(tx, fork.source(), fork.target());
    String to = KeyText.of(fork.target());
    long start = tx.nextNumber();
    insert(tx, to, start, 0, 0, original.ttl(), tx.now, tx.now);
    if (fork.transform().isEmpty()) {
      int copied = copy(tx, fork, start);
      return forked(
          tx, fork, start + copied, copied, original, original.metadata(), original.tags());
    }
    Fork.Transform transform = fork.transform().get();
    int copied = copy(tx, fork, transform);
    SessionUpdate described = transform.describe(original.info(fork.source()));
    Map<String, Object> metadata = described.metadata().orElse(Map.of());
    return forked(
        tx,
        fork,
        start + copied,
        copied,
        original,
        metadata.isEmpty() ? null : Json.write(metadata),
        SessionRow.writeTags(described.tags().orElse(Set.of())));
  }

  /** Copies the rows unchanged to the positions after {@code start}; returns how many. */
  private static int copy(Tx tx, Fork fork, long start) throws SQLException {
    int copied =
        tx.db.update(
            "INSERT INTO {messages} (id, session_id, message_data, created_at, clew_crc,"
                + " clew_added, clew_notes, clew_item_id)"
                + " SELECT ? + row_number() OVER (ORDER BY id), ?, message_data, created_at,"
                + " clew_crc, clew_added, clew_notes, clew_item_id"
                + " FROM {messages} WHERE session_id = ? AND id <= ? ORDER BY id",
            start,
            KeyText.of(fork.target()),
            KeyText.of(fork.source()),
            fork.upTo());
    for (int i = 0; i < copied; i++) {
      tx.saved(tx.nextNumber());
    }
    return copied;
  }

  /** Copies the transformed entries to new positions; returns how many. */
  private static int copy(Tx tx, Fork fork, Fork.Transform transform) throws SQLException {
    List<Entry> entries = HistoryReader.upTo(tx.db, KeyText.of(fork.source()), fork.upTo());
    for (Entry entry : entries) {
      long position = tx.nextNumber();
      List<Prepared.Row> row = List.of(Prepared.Row.of(transform.entry(entry, position)));
      long[] added = {entry.addedAt().toEpochMilli()};
      ItemRows.insert(tx, KeyText.of(fork.target()), position, row, added, null);
      tx.saved(position);
    }
    return entries.size();
  }

  private static SessionRow forkable(Tx tx, SessionKey source, SessionKey target)
      throws SQLException {
    Optional<SessionRow> original = SessionRow.live(tx.db, KeyText.of(source), tx.now);
    if (original.isEmpty()) {
      throw Conflicts.noSource(source);
    }
    if (liveForWriting(tx, KeyText.of(target)).exists()) {
      throw Conflicts.targetExists(target);
    }
    tx.keepTriggersQuiet();
    return original.get();
  }

  private static SessionInfo forked(
      Tx tx,
      Fork fork,
      long version,
      int copied,
      SessionRow original,
      @Nullable String metadata,
      @Nullable String tags)
      throws SQLException {
    String from = KeyText.of(fork.source());
    String to = KeyText.of(fork.target());
    tx.db.update(
        "UPDATE {sessions} SET clew_version = ?, clew_count = ?, clew_bytes = (SELECT"
            + " coalesce(sum({bytes}), 0) FROM {messages} WHERE session_id = ?), clew_title = ?,"
            + " clew_title_key = ?, clew_metadata = ?, clew_tags = ?, clew_parent = ?,"
            + " clew_parent_position = ?, clew_packed = (SELECT 0 FROM {sessions} WHERE"
            + " session_id = ? AND clew_packed IS NOT NULL) WHERE session_id = ?",
        version,
        copied,
        to,
        original.title(),
        Pages.titleKey(original.title()),
        metadata,
        tags,
        from,
        fork.upTo(),
        from,
        to);
    return SessionRow.find(tx.db, to).orElseThrow().info(fork.target());
  }

  static SessionInfo update(Tx tx, SessionKey key, SessionUpdate update) throws SQLException {
    String id = KeyText.of(key);
    SessionHead before = liveForWriting(tx, id);
    if (update.expectedVersion().isPresent()) {
      checkVersion(key, before, update.expectedVersion().getAsLong());
    }
    long version = tx.change(id, "described", 0);
    if (!before.exists()) {
      long at = update.times().map(times -> atMostNow(tx, times.createdAt())).orElse(tx.now);
      insert(tx, id, version, 0, 0, null, at, at);
    }
    SessionRow row = SessionRow.find(tx.db, id).orElseThrow();
    String title = update.title().orElse(row.title());
    Long life =
        update.timeToLive().isPresent()
            ? (update.timeToLive().get().isZero()
                ? null
                : TimeToLive.millis(update.timeToLive().get()))
            : row.ttl();
    tx.db.update(
        "UPDATE {sessions} SET clew_version = ?, clew_title = ?, clew_title_key = ?,"
            + " clew_metadata = ?, clew_tags = ?, clew_archived = ?, clew_pinned = ?,"
            + " clew_ttl = ? WHERE session_id = ?",
        version,
        title,
        Pages.titleKey(title),
        update
            .metadata()
            .map(map -> map.isEmpty() ? null : Json.write(map))
            .orElse(keep(update, row)),
        update.tags().isPresent() ? SessionRow.writeTags(update.tags().get()) : row.tags(),
        update.archived().orElse(row.archived()) ? 1 : 0,
        update.pinned().orElse(row.pinned()) ? 1 : 0,
        life,
        id);
    if (update.times().isPresent()) {
      setTimes(tx, id, update.times().get());
    }
    if (update.parent().isPresent()) {
      tx.db.update(
          "UPDATE {sessions} SET clew_parent = ?, clew_parent_position = ? WHERE session_id = ?",
          KeyText.of(update.parent().get().key()),
          update.parent().get().position(),
          id);
    }
    return SessionRow.find(tx.db, id).orElseThrow().info(key);
  }

  private static long atMostNow(Tx tx, Instant time) {
    return Math.min(tx.now, time.toEpochMilli());
  }

  private static void setTimes(Tx tx, String id, SessionUpdate.Times times) throws SQLException {
    long created = atMostNow(tx, times.createdAt());
    long updated = atMostNow(tx, times.updatedAt());
    tx.db.update(
        "UPDATE {sessions} SET created_at = ?, clew_created = ?"
            + " WHERE session_id = ? AND clew_created > ?",
        Tx.sqlTime(created),
        created,
        id,
        created);
    tx.db.update(
        "UPDATE {sessions} SET updated_at = ?, clew_updated = ?"
            + " WHERE session_id = ? AND clew_updated < ?",
        Tx.sqlTime(updated),
        updated,
        id,
        updated);
    renew(tx, id);
  }

  /** Sets the time to live, as part of a change that has a version already. */
  static void setTimeToLive(Tx tx, String id, long millis) throws SQLException {
    tx.db.update(
        "UPDATE {sessions} SET clew_ttl = ? WHERE session_id = ? AND clew_ttl IS NOT ?",
        millis,
        id,
        millis);
    tx.heads().remove(id); // its end has to be looked at from now on
  }

  private static @Nullable String keep(SessionUpdate update, SessionRow row) {
    return update.metadata().isPresent() ? null : row.metadata();
  }
}
