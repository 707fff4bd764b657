package dev.clew.postgres;

import dev.clew.Entry;
import dev.clew.Finding;
import dev.clew.SessionKey;
import dev.clew.ToolCallPairing;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;

/** Looks through all sessions and reports what is not in order. Immutable. */
final class Checkup {
  private static final int SESSIONS = 200;
  private static final int ITEMS = 500;

  private final Connections connections;

  Checkup(Connections connections) {
    this.connections = connections;
  }

  void run(Consumer<Finding> findings) {
    connections.read(Checkup::quarantined).forEach(findings);
    UUID after = new UUID(0, 0);
    while (true) {
      UUID start = after;
      List<SessionRow> sessions =
          connections.read(
              db ->
                  db.all(
                      "SELECT "
                          + SessionRow.COLUMNS
                          + " FROM {s}.sessions s WHERE s.session > ? AND s.alive"
                          + " ORDER BY s.session LIMIT "
                          + SESSIONS,
                      SessionRow::read,
                      start));
      if (sessions.isEmpty()) {
        return;
      }
      for (SessionRow session : sessions) {
        check(session).forEach(findings);
      }
      after = sessions.get(sessions.size() - 1).session;
    }
  }

  private static List<Finding> quarantined(Db db) throws SQLException {
    return db.all(
        "SELECT owner, id, position FROM {s}.quarantine ORDER BY owner, id, position",
        row ->
            new Finding(
                Finding.Kind.QUARANTINED,
                Optional.of(new SessionKey(row.getString(1), row.getString(2))),
                OptionalLong.of(row.getLong(3)),
                "a damaged record was put aside when it was popped; its text is in the table"
                    + " quarantine"));
  }

  private List<Finding> check(SessionRow session) {
    List<Finding> findings = new ArrayList<>();
    ToolCallPairing pairing = new ToolCallPairing();
    long[] after = {Long.MIN_VALUE};
    int found;
    do {
      List<Boolean> rows =
          connections.read(
              db ->
                  db.all(
                      "SELECT "
                          + Rows.COLUMNS
                          + " FROM {s}.items i WHERE i.session = ? AND i.position > ?"
                          + " ORDER BY i.position LIMIT "
                          + ITEMS,
                      row -> {
                        after[0] = row.getLong(1);
                        return add(row, session.key, pairing, findings);
                      },
                      session.session,
                      after[0]));
      found = rows.size();
    } while (found == ITEMS);
    for (ToolCallPairing.Unpaired unpaired : pairing.unpaired()) {
      findings.add(
          new Finding(
              Finding.Kind.UNPAIRED,
              Optional.of(session.key),
              OptionalLong.of(unpaired.position()),
              unpaired.describe()));
    }
    return findings;
  }

  private static boolean add(ResultSet row, SessionKey key, ToolCallPairing pairing, List<Finding> findings)
      throws SQLException {
    Optional<Entry> entry = Rows.live(row);
    if (entry.isPresent()) {
      pairing.add(entry.get().position(), entry.get().item());
    } else {
      findings.add(
          new Finding(
              Finding.Kind.DAMAGED,
              Optional.of(key),
              OptionalLong.of(row.getLong(1)),
              "the record does not match its checksum; it is skipped when reading, restore it from"
                  + " a backup or remove it"));
    }
    return true;
  }
}
