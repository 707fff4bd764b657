package dev.clew.sqlite;

import dev.clew.Entry;
import dev.clew.Finding;
import dev.clew.SessionKey;
import dev.clew.internal.Pairing;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Looks through the whole file and reports what is not in order. Immutable. */
final class Checkup {
  private static final int SESSIONS = 200;

  private final Connections connections;
  private final SqliteErrors errors;

  Checkup(Connections connections, SqliteErrors errors) {
    this.connections = connections;
    this.errors = errors;
  }

  void run(Consumer<Finding> findings) {
    for (String message :
        connections.read(db -> db.all("PRAGMA integrity_check", row -> row.getString(1)))) {
      if (!message.equals("ok")) {
        findings.accept(
            new Finding(
                Finding.Kind.BACKEND,
                Optional.empty(),
                OptionalLong.empty(),
                errors.where() + ": " + message + "; copy the file and restore a backup"));
      }
    }
    connections.read(db -> quarantined(db)).forEach(findings);
    String after = "";
    while (true) {
      String start = after;
      List<String> ids =
          connections.read(
              db ->
                  db.all(
                      "SELECT session_id FROM {sessions} WHERE session_id > ? ORDER BY session_id"
                          + " LIMIT "
                          + SESSIONS,
                      row -> row.getString(1),
                      start));
      if (ids.isEmpty()) {
        return;
      }
      for (String id : ids) {
        connections.read(db -> session(db, id)).forEach(findings);
      }
      after = ids.get(ids.size() - 1);
    }
  }

  private static List<Finding> quarantined(Db db) throws SQLException {
    return db.all(
        "SELECT session_id, position FROM {our}quarantine ORDER BY position",
        row ->
            new Finding(
                Finding.Kind.QUARANTINED,
                KeyText.read(row.getString(1)),
                OptionalLong.of(row.getLong(2)),
                "a damaged record was put aside when it was popped; its bytes are in"
                    + " clew_quarantine"));
  }

  private static List<Finding> session(Db db, String id) throws SQLException {
    List<Finding> findings = new ArrayList<>();
    Optional<SessionKey> key = KeyText.read(id);
    Pairing pairing = new Pairing();
    try (ResultSet rows =
        db.bind(
                "SELECT "
                    + Rows.ENTRY_COLUMNS
                    + " FROM {messages} WHERE session_id = ? ORDER BY id",
                id)
            .executeQuery()) {
      while (rows.next()) {
        Optional<Entry> entry = Rows.entry(rows);
        if (entry.isPresent()) {
          pairing.add(entry.get().position(), entry.get().item());
        } else {
          findings.add(
              new Finding(
                  Finding.Kind.DAMAGED,
                  key,
                  OptionalLong.of(rows.getLong(1)),
                  "the record does not match its checksum or is not JSON; it is skipped when"
                      + " reading, restore it from a backup or remove it"));
        }
      }
    }
    for (Pairing.Unpaired unpaired : pairing.unpaired()) {
      findings.add(
          new Finding(
              Finding.Kind.UNPAIRED,
              key,
              OptionalLong.of(unpaired.position()),
              unpaired.describe()));
    }
    return findings;
  }
}
