package dev.clew.sqlite;

import dev.clew.kit.Pages;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists owners by jumping from one to the next in the index. Stateless. */
final class Owners {
  private Owners() {}

  static List<String> page(Db db, Optional<String> after, int limit, long now) throws SQLException {
    // Escaping does not keep the order, so all owners are sorted here. They are few compared with
    // sessions, and each costs one index lookup.
    List<String> owners = new ArrayList<>();
    Optional<String> owner = Optional.of("");
    while (owner.isPresent()) {
      String text = owner.get();
      if (hasLiveSession(db, text, now)) {
        owners.add(KeyText.readOwner(text));
      }
      owner = after(db, text);
    }
    owners.addAll(
        db.texts(
            "SELECT DISTINCT owner FROM {our}records WHERE expires IS NULL OR expires > ?", now));
    return Pages.ofNames(owners.stream(), after, limit);
  }

  /** The next owner in the column {@code clew_owner}; the default owner comes first. */
  static Optional<String> after(Db db, String owner) throws SQLException {
    return db.first(
        "SELECT clew_owner FROM {sessions} WHERE clew_owner > ? ORDER BY clew_owner LIMIT 1",
        row -> row.getString(1),
        owner);
  }

  private static boolean hasLiveSession(Db db, String owner, long now) throws SQLException {
    return db.exists(
        "SELECT 1 FROM {sessions} WHERE clew_owner = ? AND {live} LIMIT 1", owner, now);
  }
}
