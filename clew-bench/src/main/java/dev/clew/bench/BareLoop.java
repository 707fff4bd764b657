package dev.clew.bench;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * The statements of the store's append on the store's own tables, and nothing around them: no
 * validation, no checksum, no cache, no waiting, no sharing of commits. Not thread-safe.
 */
final class BareLoop implements Appender {
  static final String INSERT_ITEM =
      "INSERT INTO agent_messages (id, session_id, message_data, created_at, clew_crc, clew_added,"
          + " clew_notes, clew_item_id) VALUES (?, ?, ?, ?, ?, ?, NULL, NULL)";
  static final String INSERT_SESSION =
      "INSERT INTO agent_sessions (session_id, created_at, updated_at, clew_version, clew_count,"
          + " clew_bytes, clew_created, clew_updated, clew_ttl)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)";
  static final String TIME = "2026-11-15 09:00:00";

  private final Connection connection;
  private final Map<String, Long> versions = new HashMap<>();
  private final PreparedStatement begin;
  private final PreparedStatement session;
  private final PreparedStatement sequence;
  private final PreparedStatement update;
  private final PreparedStatement insertSession;
  private final PreparedStatement insertItems;
  private final PreparedStatement commit;

  BareLoop(Path file) throws SQLException {
    connection = Jdbc.connect(file);
    begin = connection.prepareStatement("BEGIN IMMEDIATE");
    session =
        connection.prepareStatement(
            "SELECT clew_version, clew_count, clew_created, clew_updated,"
                + " coalesce(clew_updated + coalesce(clew_ttl, NULL), 9223372036854775807)"
                + " FROM agent_sessions WHERE session_id = ?");
    sequence =
        connection.prepareStatement(
            "SELECT seq FROM sqlite_sequence WHERE name = 'agent_messages'");
    update =
        connection.prepareStatement(
            "UPDATE agent_sessions SET updated_at = ?, clew_version = ?,"
                + " clew_count = clew_count + ?, clew_bytes = clew_bytes + ?, clew_updated = ?"
                + " WHERE session_id = ? AND clew_version = ?");
    insertSession = connection.prepareStatement(INSERT_SESSION);
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < Turn.ITEMS; i++) {
      rows.append(i == 0 ? "" : ", ").append("(?1 + ").append(i).append(", ?2, ?");
      rows.append(5 + 2 * i).append(", ?3, ?").append(6 + 2 * i).append(", ?4, NULL, NULL)");
    }
    insertItems =
        connection.prepareStatement(
            INSERT_ITEM.substring(0, INSERT_ITEM.indexOf("VALUES")) + "VALUES " + rows);
    commit = connection.prepareStatement("COMMIT");
  }

  @Override
  public void append(String id, Turn turn) throws SQLException {
    long now = System.currentTimeMillis();
    begin.execute();
    long before = versions.getOrDefault(id, 0L);
    if (before == 0) {
      session.setString(1, id);
      try (ResultSet row = session.executeQuery()) {
        if (row.next()) {
          before = row.getLong(1);
          now = Math.max(now, row.getLong(4));
        }
      }
    }
    long first;
    try (ResultSet row = sequence.executeQuery()) {
      row.next();
      first = row.getLong(1) + 1;
    }
    int bytes = turn.lines().limit() - Turn.ITEMS;
    long last = first + Turn.ITEMS - 1;
    if (before > 0) {
      update.setString(1, TIME);
      update.setLong(2, last);
      update.setLong(3, Turn.ITEMS);
      update.setLong(4, bytes);
      update.setLong(5, now);
      update.setString(6, id);
      update.setLong(7, before);
      update.executeUpdate();
    } else {
      bindSession(insertSession, id, last, Turn.ITEMS, bytes, now);
      insertSession.executeUpdate();
    }
    insertItems.setLong(1, first);
    insertItems.setString(2, id);
    insertItems.setString(3, TIME);
    insertItems.setLong(4, now);
    for (int i = 0; i < Turn.ITEMS; i++) {
      insertItems.setString(5 + 2 * i, turn.texts().get(i));
      insertItems.setLong(6 + 2 * i, turn.crcs().get(i));
    }
    insertItems.executeUpdate();
    commit.execute();
    versions.put(id, last);
  }

  static void bindSession(
      PreparedStatement insert, String id, long version, long count, long bytes, long now)
      throws SQLException {
    insert.setString(1, id);
    insert.setString(2, TIME);
    insert.setString(3, TIME);
    insert.setLong(4, version);
    insert.setLong(5, count);
    insert.setLong(6, bytes);
    insert.setLong(7, now);
    insert.setLong(8, now);
  }

  static void bindItem(
      PreparedStatement insert, long position, String id, String text, long crc, long now)
      throws SQLException {
    int column = 0;
    insert.setLong(++column, position);
    insert.setString(++column, id);
    insert.setString(++column, text);
    insert.setString(++column, TIME);
    insert.setLong(++column, crc);
    insert.setLong(++column, now);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
