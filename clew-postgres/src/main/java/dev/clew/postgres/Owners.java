package dev.clew.postgres;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists owners by jumping from one to the next in the indexes. Stateless. */
final class Owners {
  private Owners() {}

  static List<String> page(Db db, Optional<String> after, int limit, long now) throws SQLException {
    List<String> page = new ArrayList<>();
    // The default owner, whose name is empty, comes first.
    Optional<String> owner =
        after.isEmpty() ? Optional.of("") : next(db, PgText.upToNul(after.get()));
    while (owner.isPresent() && page.size() < limit) {
      if (hasSomething(db, owner.get(), now)) {
        page.add(owner.get());
      }
      owner = next(db, owner.get());
    }
    return page;
  }

  private static Optional<String> next(Db db, String owner) throws SQLException {
    return db.find(
        "SELECT least((SELECT min(owner) FROM {s}.sessions WHERE alive AND owner > ?),"
            + " (SELECT min(owner) FROM {s}.records WHERE owner > ?))",
        row -> Optional.ofNullable(row.getString(1)),
        owner,
        owner);
  }

  /** The next owner that has sessions. */
  static Optional<String> nextWithSessions(Db db, String owner) throws SQLException {
    return db.find(
        "SELECT min(owner) FROM {s}.sessions WHERE alive AND owner > ?",
        row -> Optional.ofNullable(row.getString(1)),
        owner);
  }

  private static boolean hasSomething(Db db, String owner, long now) throws SQLException {
    return db.exists(
        "SELECT 1 WHERE EXISTS (SELECT 1 FROM {s}.sessions s WHERE s.owner = ? AND {live}) OR"
            + " EXISTS (SELECT 1 FROM {s}.records WHERE owner = ?"
            + " AND (expires IS NULL OR expires > ?))",
        owner,
        now,
        owner,
        now);
  }
}
