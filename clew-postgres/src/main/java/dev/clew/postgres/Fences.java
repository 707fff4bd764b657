package dev.clew.postgres;

import dev.clew.Commit.Fence;
import dev.clew.SessionKey;
import dev.clew.kit.Conflicts;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Checks that a lease has not changed hands, inside a transaction. Stateless. */
final class Fences {
  private Fences() {}

  /** A lease of a session. */
  record Id(UUID session, UUID name) {}

  static Id id(UUID session, Fence fence) {
    return new Id(session, Keys.of(fence.lease()));
  }

  /** The current fences, which stay locked until the transaction ends. */
  static Map<Id, Long> hold(Db db, List<Id> ids) throws SQLException {
    Map<Id, Long> found = new HashMap<>();
    db.all(
            "SELECT l.session, l.name_key, l.fence FROM unnest(?, ?) AS u (session, name_key)"
                + " JOIN {s}.leases l ON l.session = u.session AND l.name_key = u.name_key"
                + " ORDER BY l.session, l.name_key FOR SHARE OF l",
            row ->
                Map.entry(
                    new Id(row.getObject(1, UUID.class), row.getObject(2, UUID.class)),
                    row.getLong(3)),
            ids.stream().map(Id::session).toArray(UUID[]::new),
            ids.stream().map(Id::name).toArray(UUID[]::new))
        .forEach(entry -> found.put(entry.getKey(), entry.getValue()));
    return found;
  }

  static void check(SessionKey key, Fence fence, long current) {
    if (current != fence.number()) {
      throw Conflicts.fence(key, fence, current);
    }
  }
}
