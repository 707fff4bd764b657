package dev.clew.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The part of a sessions row that every write needs. Immutable.
 *
 * @param expires when the session expires; {@link Long#MAX_VALUE} if never
 */
record SessionHead(long version, long count, long created, long updated, long expires) {
  private static final String FIND =
      "SELECT clew_version, clew_count, clew_created, clew_updated, coalesce({expires}, "
          + Long.MAX_VALUE
          + ") FROM {sessions} WHERE session_id = ?";

  /** The head of a session that does not exist. */
  static final SessionHead NONE = new SessionHead(0, 0, 0, 0, Long.MAX_VALUE);

  static SessionHead find(Db db, String sessionId) throws SQLException {
    return db.first(FIND, SessionHead::read, sessionId).orElse(NONE);
  }

  private static SessionHead read(ResultSet row) throws SQLException {
    return new SessionHead(
        row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5));
  }

  boolean exists() {
    return version > 0;
  }
}
