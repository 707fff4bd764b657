package dev.clew.sqlite;

import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.kit.Conflicts;
import dev.clew.kit.sql.Sql;
import java.sql.SQLException;
import java.util.Optional;

/** The operation ids used in sessions, inside a transaction of the {@link Committer}. Stateless. */
final class Operations {
  private Operations() {}

  /** The receipt of an earlier commit with the same operation id. */
  static Optional<Receipt> earlier(Tx tx, SessionKey key, String id, Prepared prepared)
      throws SQLException {
    if (prepared.commit().operationId().isEmpty()) {
      return Optional.empty();
    }
    String operation = prepared.commit().operationId().get();
    return tx.db.first(
        "SELECT digest, version, first_position, last_position FROM {our}operations"
            + " WHERE session_id = ? AND operation_id = ?",
        row -> {
          if (!row.getString(1).equals(prepared.digest())) {
            throw Conflicts.otherContent(key, operation);
          }
          return new Receipt(
              row.getLong(2), Sql.optionalLong(row, 3), Sql.optionalLong(row, 4), true);
        },
        id,
        operation);
  }

  /** Remembers a commit, if it has an operation id. */
  static void remember(Tx tx, String id, Prepared prepared, Receipt receipt) throws SQLException {
    if (prepared.commit().operationId().isPresent()) {
      tx.db.update(
          "INSERT INTO {our}operations (session_id, operation_id, digest, version,"
              + " first_position, last_position, done_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
          id,
          prepared.commit().operationId().get(),
          prepared.digest(),
          receipt.version(),
          Sql.nullable(receipt.firstPosition()),
          Sql.nullable(receipt.lastPosition()),
          tx.now);
    }
  }
}
