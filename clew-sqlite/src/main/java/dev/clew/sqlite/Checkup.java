package dev.clew.sqlite;

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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Checks the whole file and reports what is wrong. Immutable. */
record Checkup(Connections connections, SqliteErrors errors) {
  private static final int SESSIONS = 200;

  void run(Consumer<Finding> findings) {
    for (String message : connections.read(db -> db.texts("PRAGMA integrity_check"))) {
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
      String some =
          "SELECT session_id FROM {sessions} WHERE session_id > ? ORDER BY session_id LIMIT "
              + SESSIONS;
      List<String> ids = connections.read(db -> db.texts(some, start));
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
                "a damaged item was put aside when it was popped; its bytes are in"
                    + " clew_quarantine"));
  }

  private static List<Finding> session(Db db, String id) throws SQLException {
    List<Finding> findings = new ArrayList<>();
    Optional<SessionKey> key = KeyText.read(id);
    ToolCallPairing pairing = new ToolCallPairing();
    db.all(
        "SELECT {entry} FROM {messages} WHERE session_id = ? ORDER BY id",
        row -> {
          Optional<Entry> entry = Rows.entry(row);
          entry.ifPresent(found -> pairing.add(found.position(), found.item()));
          return damage(key, row, entry).map(findings::add);
        },
        id);
    db.all(
        "SELECT {archived} FROM {our}archive WHERE session_id = ?",
        row -> damage(key, row, Rows.archived(row)).map(findings::add),
        id);
    Optional<SessionRow> row = SessionRow.find(db, id);
    if (row.isPresent() && isUnreadable(row.get().metadata())) {
      findings.add(damaged(key, OptionalLong.empty(), "the metadata is not JSON; set it again"));
    }
    for (ToolCallPairing.Unpaired unpaired : pairing.unpaired()) {
      findings.add(
          new Finding(
              Finding.Kind.UNPAIRED,
              key,
              OptionalLong.of(unpaired.position()),
              unpaired.describe()));
    }
    return findings;
  }

  private static Optional<Finding> damage(
      Optional<SessionKey> key, ResultSet row, Optional<Entry> entry) throws SQLException {
    OptionalLong position = OptionalLong.of(row.getLong(1));
    if (entry.isEmpty()) {
      return Optional.of(
          damaged(
              key,
              position,
              "the item does not match its checksum or is not JSON; it is skipped when reading,"
                  + " restore it from a backup or remove it"));
    }
    return isUnreadable(row.getString(6))
        ? Optional.of(damaged(key, position, "the notes are not JSON; the item itself is in order"))
        : Optional.empty();
  }

  /** An empty object is stored as null, so an empty result means that the JSON is unreadable. */
  private static boolean isUnreadable(@Nullable String json) {
    return json != null && Rows.object(json).isEmpty();
  }

  private static Finding damaged(Optional<SessionKey> key, OptionalLong position, String message) {
    return new Finding(Finding.Kind.DAMAGED, key, position, message);
  }
}
