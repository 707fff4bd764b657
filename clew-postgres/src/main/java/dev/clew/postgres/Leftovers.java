package dev.clew.postgres;

import dev.clew.SessionKey;
import dev.clew.spi.Inspection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Searches the tables for what an erasure left. Immutable.
 *
 * <p>Rows with an owner are counted by owner. Rows with only the key of a session are left over if
 * that session has no row. Scanning whole tables may take long, so the connection has no deadline.
 */
record Leftovers(Connections connections) {
  private static final List<String> WITH_OWNER =
      List.of("sessions", "leases", "quarantine", "records");
  private static final List<String> OF_SESSIONS =
      List.of("items", "archive", "operations", "search");

  Inspection.Report find(String owner, Optional<String> id) {
    try (Connection connection = connections.extra()) {
      Search search = new Search(connections.db(connection));
      if (id.isPresent()) {
        search.session(new SessionKey(owner, id.get()));
      } else {
        search.owner(owner);
      }
      return new Inspection.Report(search.tables, search.found);
    } catch (SQLException e) {
      throw connections.unavailable(e);
    }
  }

  /** One search. Used by one thread. */
  private static final class Search {
    private final Db db;
    private final List<String> found = new ArrayList<>();
    private int tables;

    Search(Db db) {
      this.db = db;
    }

    void owner(String owner) throws SQLException {
      for (String table : WITH_OWNER) {
        count(table, "of the owner", "owner = ?", owner);
      }
      for (String table : OF_SESSIONS) {
        count(
            table,
            "of no session",
            "NOT EXISTS (SELECT 1 FROM {s}.sessions s WHERE s.session = t.session)");
      }
    }

    /** A deleted session keeps a row with its numbers. */
    void session(SessionKey key) throws SQLException {
      UUID session = Keys.of(key);
      count(
          "sessions",
          "of the session",
          "session = ? AND (alive OR title <> '' OR metadata IS NOT NULL OR tags <> '{}')",
          session);
      for (String table : OF_SESSIONS) {
        count(table, "of the session", "session = ?", session);
      }
      count("quarantine", "of the session", "session = ?", session);
    }

    private void count(String table, String whose, String which, @Nullable Object... values)
        throws SQLException {
      tables++;
      long rows = db.number(0, "SELECT count(*) FROM {s}." + table + " t WHERE " + which, values);
      if (rows > 0) {
        found.add("table " + table + " has " + rows + (rows == 1 ? " row " : " rows ") + whose);
      }
    }
  }
}
