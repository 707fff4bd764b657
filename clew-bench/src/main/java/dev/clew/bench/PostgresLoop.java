package dev.clew.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The statements of the PostgreSQL store's append on the store's own tables, in one transaction on
 * one connection, and nothing around them. Not thread-safe. The sessions must be there.
 */
final class PostgresLoop implements Appender {
  private final Connection connection;
  private final PreparedStatement lock;
  private final PreparedStatement write;
  private final PreparedStatement last;
  private final Map<String, UUID> sessions = new HashMap<>();

  PostgresLoop(String jdbcUrl, String schema) throws SQLException {
    connection = DriverManager.getConnection(jdbcUrl);
    connection.setAutoCommit(false);
    String s = '"' + schema + "\".";
    lock =
        connection.prepareStatement(
            "SELECT s.session, s.owner, s.id, s.alive, s.version, s.born, s.low, s.change_floor,"
                + " s.items, s.bytes, s.created, s.updated, s.title, s.metadata, s.tags,"
                + " s.archived, s.pinned, s.ttl, NULL::bigint, s.parent_owner, s.parent_id,"
                + " s.parent_position FROM "
                + s
                + "sessions s WHERE s.session = ANY (?) ORDER BY s.session FOR UPDATE");
    write =
        connection.prepareStatement(
            "WITH new_items AS (INSERT INTO "
                + s
                + "items (session, position, data, crc, added, notes, item_key)"
                + " SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?)), new_operations AS (INSERT INTO "
                + s
                + "operations (session, operation, digest, version, first_position, last_position,"
                + " done_at) SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?)), new_work AS (INSERT INTO "
                + s
                + "unindexed AS w (session, first, last) SELECT * FROM unnest(?, ?, ?)"
                + " ON CONFLICT (session, first) DO UPDATE SET last = greatest(w.last,"
                + " EXCLUDED.last)) UPDATE "
                + s
                + "sessions s SET id = u.id, alive = true, version = u.version, items = u.items,"
                + " bytes = u.bytes, created = u.created, updated = u.updated"
                + " FROM unnest(?, ?, ?, ?, ?, ?, ?)"
                + " AS u (session, id, version, items, bytes, created, updated)"
                + " WHERE s.session = u.session RETURNING CASE WHEN EXISTS (SELECT 1 FROM "
                + s
                + "listeners) THEN pg_notify('clew_"
                + schema
                + "', s.session::text)::text END");
    last =
        connection.prepareStatement(
            "SELECT data FROM "
                + s
                + "items WHERE session = ? ORDER BY position DESC LIMIT "
                + Jdbc.LIMIT);
    try (PreparedStatement all =
            connection.prepareStatement("SELECT id, session FROM " + s + "sessions");
        ResultSet rows = all.executeQuery()) {
      while (rows.next()) {
        sessions.put(rows.getString(1), rows.getObject(2, UUID.class));
      }
    }
    connection.commit();
  }

  @Override
  public void append(String id, Turn turn) throws SQLException {
    UUID session = session(id);
    long version;
    long items;
    long bytes;
    long created;
    lock.setArray(1, uuids(session));
    try (ResultSet row = lock.executeQuery()) {
      row.next();
      version = row.getLong(5);
      items = row.getLong(9);
      bytes = row.getLong(10);
      created = row.getLong(11);
    }
    long now = System.currentTimeMillis();
    UUID[] same = new UUID[Turn.ITEMS];
    Long[] positions = new Long[Turn.ITEMS];
    Long[] times = new Long[Turn.ITEMS];
    for (int i = 0; i < Turn.ITEMS; i++) {
      same[i] = session;
      positions[i] = version + 1 + i;
      times[i] = now;
    }
    int column = 0;
    write.setArray(++column, uuids(same));
    write.setArray(++column, numbers(positions));
    write.setArray(++column, texts(turn.texts().toArray(String[]::new)));
    write.setArray(++column, numbers(turn.crcs().toArray(Long[]::new)));
    write.setArray(++column, numbers(times));
    write.setArray(++column, texts(new String[Turn.ITEMS]));
    write.setArray(++column, numbers(new Long[Turn.ITEMS]));
    write.setArray(++column, uuids());
    write.setArray(++column, uuids());
    write.setArray(++column, texts());
    for (int i = 0; i < 4; i++) {
      write.setArray(++column, numbers());
    }
    write.setArray(++column, uuids(session));
    write.setArray(++column, numbers(version + 1));
    write.setArray(++column, numbers(version + Turn.ITEMS));
    write.setArray(++column, uuids(session));
    write.setArray(++column, texts(id));
    write.setArray(++column, numbers(version + Turn.ITEMS));
    write.setArray(++column, numbers(items + Turn.ITEMS));
    write.setArray(++column, numbers(bytes + turn.lines().limit() - Turn.ITEMS));
    write.setArray(++column, numbers(created));
    write.setArray(++column, numbers(now));
    write.executeQuery().close();
    connection.commit();
  }

  /** How many of the last items there are, read by one plain query. */
  int last(String id) throws SQLException {
    last.setObject(1, session(id));
    List<String> texts = new ArrayList<>();
    try (ResultSet rows = last.executeQuery()) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    Collections.reverse(texts);
    return texts.size();
  }

  private UUID session(String id) {
    UUID session = sessions.get(id);
    if (session == null) {
      throw new IllegalArgumentException("there is no session " + id);
    }
    return session;
  }

  private java.sql.Array uuids(UUID... values) throws SQLException {
    return connection.createArrayOf("uuid", values);
  }

  private java.sql.Array texts(String... values) throws SQLException {
    return connection.createArrayOf("text", values);
  }

  private java.sql.Array numbers(Long... values) throws SQLException {
    return connection.createArrayOf("int8", values);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
