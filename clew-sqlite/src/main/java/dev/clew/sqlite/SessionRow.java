package dev.clew.sqlite;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.kit.sql.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A row of the sessions table. Immutable. */
record SessionRow(
    String sessionId,
    long version,
    long count,
    long bytes,
    long created,
    long updated,
    String title,
    @Nullable String metadata,
    @Nullable String tags,
    boolean archived,
    boolean pinned,
    @Nullable Long ttl,
    @Nullable Long expires,
    @Nullable String parent,
    @Nullable Long parentPosition) {
  /** When a session expires, or NULL if it does not. */
  static final String EXPIRES = "clew_updated + coalesce(clew_ttl, {ttl})";

  /** Whether a session has not expired by the bound time. */
  static final String LIVE = "coalesce(" + EXPIRES + " > ?, 1)";

  static final String COLUMNS =
      "session_id, clew_version, clew_count, clew_bytes, clew_created, clew_updated, clew_title,"
          + " clew_metadata, clew_tags, clew_archived, clew_pinned, clew_ttl, "
          + EXPIRES
          + ","
          + " clew_parent, clew_parent_position";

  static SessionRow read(ResultSet row) throws SQLException {
    return new SessionRow(
        row.getString(1),
        row.getLong(2),
        row.getLong(3),
        row.getLong(4),
        row.getLong(5),
        row.getLong(6),
        row.getString(7),
        row.getString(8),
        row.getString(9),
        row.getInt(10) != 0,
        row.getInt(11) != 0,
        Sql.nullableLong(row, 12),
        Sql.nullableLong(row, 13),
        row.getString(14),
        Sql.nullableLong(row, 15));
  }

  /** The row whether or not it has expired. */
  static Optional<SessionRow> find(Db db, String sessionId) throws SQLException {
    return db.first(
        "SELECT " + COLUMNS + " FROM {sessions} WHERE session_id = ?", SessionRow::read, sessionId);
  }

  /** The row, unless it has expired. */
  static Optional<SessionRow> live(Db db, String sessionId, long now) throws SQLException {
    return find(db, sessionId).filter(row -> !row.expired(now));
  }

  boolean expired(long now) {
    return expires != null && expires <= now;
  }

  /** Empty if the id is no session key. */
  Optional<SessionInfo> info() {
    return KeyText.read(sessionId).map(this::info);
  }

  SessionInfo info(SessionKey key) {
    return new SessionInfo(
        key,
        version,
        count,
        bytes,
        Instant.ofEpochMilli(created),
        Instant.ofEpochMilli(updated),
        title,
        Rows.object(metadata),
        readTags(tags),
        archived,
        pinned,
        Optional.ofNullable(expires).map(end -> Duration.ofMillis(end - updated)),
        Optional.ofNullable(parent)
            .flatMap(KeyText::read)
            .map(of -> new SessionInfo.Parent(of, parentPosition == null ? 0 : parentPosition)),
        false);
  }

  /** Tags with line ends around each, so that one can be found with {@code instr}. */
  static @Nullable String writeTags(Set<String> tags) {
    return tags.isEmpty() ? null : "\n" + String.join("\n", new TreeSet<>(tags)) + "\n";
  }

  private static Set<String> readTags(@Nullable String text) {
    if (text == null) {
      return Set.of();
    }
    return Collections.unmodifiableSet(
        new TreeSet<>(Set.of(text.substring(1, text.length() - 1).split("\n"))));
  }
}
