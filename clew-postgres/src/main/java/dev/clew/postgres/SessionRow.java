package dev.clew.postgres;

import dev.clew.Commit;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.json.Json;
import dev.clew.kit.sql.Sql;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of the sessions table, changed and saved under its lock. Not thread-safe; lives in one
 * transaction.
 */
final class SessionRow {
  /** When a session expires, or NULL if it does not. */
  static final String EXPIRES = "s.updated + coalesce(s.ttl, {ttl})";

  /** Whether a session exists and has not expired by the bound time. */
  static final String LIVE = "s.alive AND coalesce(" + EXPIRES + " > ?, true)";

  static final String COLUMNS =
      "s.session, s.owner, s.id, s.alive, s.version, s.born, s.low, s.change_floor, s.items,"
          + " s.bytes, s.created, s.updated, s.title, s.metadata, s.tags, s.archived, s.pinned,"
          + " s.ttl, {ttl}, s.parent_owner, s.parent_id, s.parent_position";

  final UUID session;
  final SessionKey key;
  final long born;
  final long changeFloor;
  private final @Nullable Long defaultTtl;
  boolean alive;
  long version;
  long low;
  long items;
  long bytes;
  long created;
  long updated;
  String title;
  @Nullable String metadata;
  Set<String> tags;
  boolean archived;
  boolean pinned;
  @Nullable Long ttl;
  SessionInfo.@Nullable Parent parent;

  private SessionRow(ResultSet row, Optional<SessionKey> known) throws SQLException {
    session = row.getObject(1, UUID.class);
    // The row of a cleared session has no id.
    key = known.isPresent() ? known.get() : new SessionKey(row.getString(2), row.getString(3));
    alive = row.getBoolean(4);
    version = row.getLong(5);
    born = row.getLong(6);
    low = row.getLong(7);
    changeFloor = row.getLong(8);
    items = row.getLong(9);
    bytes = row.getLong(10);
    created = row.getLong(11);
    updated = row.getLong(12);
    title = row.getString(13);
    metadata = row.getString(14);
    Array words = row.getArray(15);
    tags = Collections.unmodifiableSet(new TreeSet<>(Set.of((String[]) words.getArray())));
    archived = row.getBoolean(16);
    pinned = row.getBoolean(17);
    ttl = Sql.nullableLong(row, 18);
    defaultTtl = Sql.nullableLong(row, 19);
    String parentId = row.getString(21);
    parent =
        parentId == null
            ? null
            : new SessionInfo.Parent(new SessionKey(row.getString(20), parentId), row.getLong(22));
  }

  static SessionRow read(ResultSet row, SessionKey key) throws SQLException {
    return new SessionRow(row, Optional.of(key));
  }

  static SessionRow read(ResultSet row) throws SQLException {
    return new SessionRow(row, Optional.empty());
  }

  /** The row, unless the session does not exist or has expired. */
  static Optional<SessionRow> live(Db db, SessionKey key, long now) throws SQLException {
    return db.first(
        "SELECT " + COLUMNS + " FROM {s}.sessions s WHERE s.session = ? AND " + LIVE,
        row -> read(row, key),
        Keys.of(key),
        now);
  }

  boolean expired(long now) {
    Long life = life();
    return alive && life != null && updated + life <= now;
  }

  private @Nullable Long life() {
    return ttl != null ? ttl : defaultTtl;
  }

  /** The version that others see. */
  long visibleVersion() {
    return alive ? version : 0;
  }

  /** Creates the session, if it does not exist. */
  void wake(long now) {
    if (!alive) {
      alive = true;
      created = now;
      updated = now;
    }
  }

  /** Records that the history changes at a time; times never go back. */
  void touch(long time) {
    wake(time);
    updated = Math.max(updated, time);
  }

  /**
   * Records that a commit changes the history; returns the times of its items. A session that would
   * be expired because of given times counts as changed now.
   *
   * @param last when the item before was added
   */
  long[] touch(Commit commit, long last, long now) {
    long[] times = commit.times(last, alive ? Math.max(updated, now) : now);
    wake(times[0]);
    touch(times[times.length - 1]);
    if (expired(now)) {
      touch(now);
    }
    return times;
  }

  SessionInfo info() {
    return new SessionInfo(
        key,
        version,
        items,
        bytes,
        Instant.ofEpochMilli(created),
        Instant.ofEpochMilli(updated),
        title,
        metadata == null ? Map.of() : Json.readObject(metadata),
        tags,
        archived,
        pinned,
        Optional.ofNullable(life()).map(Duration::ofMillis),
        Optional.ofNullable(parent),
        false);
  }
}
