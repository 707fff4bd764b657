package dev.clew.postgres;

import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.kit.Conflicts;
import dev.clew.kit.sql.Sql;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The operation ids used in sessions, inside a transaction that holds the session. Stateless. */
final class Operations {
  private Operations() {}

  /** An operation of a session. */
  record Id(UUID session, UUID operation) {}

  static Id id(UUID session, String operationId) {
    return new Id(session, Keys.of(operationId));
  }

  /** The result of an operation. */
  record Done(String digest, Receipt receipt) {
    /** The receipt for its repetition. */
    Receipt repeated(SessionKey key, String operationId, String otherDigest) {
      if (!digest.equals(otherDigest)) {
        throw Conflicts.otherContent(key, operationId);
      }
      return new Receipt(receipt.version(), receipt.firstPosition(), receipt.lastPosition(), true);
    }
  }

  /** The operations that were done before. */
  static Map<Id, Done> find(Db db, List<Id> ids) throws SQLException {
    Map<Id, Done> found = new HashMap<>();
    db.all(
            "SELECT o.session, o.operation, o.digest, o.version, o.first_position, o.last_position"
                + " FROM unnest(?, ?) AS u (session, operation)"
                + " JOIN {s}.operations o ON o.session = u.session AND o.operation = u.operation",
            row ->
                Map.entry(
                    new Id(row.getObject(1, UUID.class), row.getObject(2, UUID.class)),
                    new Done(
                        row.getString(3),
                        new Receipt(
                            row.getLong(4),
                            Sql.optionalLong(row, 5),
                            Sql.optionalLong(row, 6),
                            false))),
            ids.stream().map(Id::session).toArray(UUID[]::new),
            ids.stream().map(Id::operation).toArray(UUID[]::new))
        .forEach(entry -> found.put(entry.getKey(), entry.getValue()));
    return found;
  }

  /** New rows, inserted by one statement. Not thread-safe. */
  static final class Rows {
    /** Takes {@link #columns}. */
    static final String INSERT =
        "INSERT INTO {s}.operations"
            + " (session, operation, digest, version, first_position, last_position, done_at)"
            + " SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?)";

    private final Columns rows =
        new Columns(
            UUID.class, UUID.class, String.class, Long.class, Long.class, Long.class, Long.class);

    void add(Id id, Done done, long now) {
      Receipt receipt = done.receipt();
      rows.add(
          id.session(),
          id.operation(),
          done.digest(),
          receipt.version(),
          Sql.nullable(receipt.firstPosition()),
          Sql.nullable(receipt.lastPosition()),
          now);
    }

    List<Object> columns() {
      return rows.arrays();
    }
  }
}
