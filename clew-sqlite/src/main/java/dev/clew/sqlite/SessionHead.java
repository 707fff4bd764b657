package dev.clew.sqlite;

import java.sql.SQLException;
import java.util.Optional;

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

  static Optional<SessionHead> find(Db db, String sessionId) throws SQLException {
    return db.first(
        FIND,
        row ->
            new SessionHead(
                row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5)),
        sessionId);
  }
}
