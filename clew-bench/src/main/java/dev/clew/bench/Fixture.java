package dev.clew.bench;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Fills a file with histories by plain SQL, exactly as the store would have written them, but
 * without syncing. Not thread-safe.
 *
 * <p>The rows count as indexed for search, so that a store does not start to index them in the
 * middle of a measurement; {@link #leaveIndexing} is for those who want just that.
 */
final class Fixture implements AutoCloseable {
  private static final int ITEMS_A_TRANSACTION = 20_000;

  private final Connection connection;
  private final PreparedStatement insertSession;
  private final PreparedStatement insertItem;
  private long position;
  private int inTransaction;
  private boolean indexed = true;

  Fixture(Path file) throws SQLException {
    ClewStore.create(file);
    connection = Jdbc.connect(file);
    Jdbc.run(
        connection, "PRAGMA synchronous = OFF", "PRAGMA cache_size = -200000", "BEGIN IMMEDIATE");
    insertSession = connection.prepareStatement(BareLoop.INSERT_SESSION);
    insertItem = connection.prepareStatement(BareLoop.INSERT_ITEM);
    try (Statement query = connection.createStatement();
        var row = query.executeQuery("SELECT coalesce(max(seq), 0) FROM sqlite_sequence")) {
      position = row.getLong(1);
    }
  }

  Fixture leaveIndexing() {
    indexed = false;
    return this;
  }

  /** Adds a session with a number of items, which is a multiple of a turn's. */
  void session(String id, int items) throws SQLException {
    int turns = items / Turn.ITEMS;
    long now = System.currentTimeMillis();
    BareLoop.bindSession(insertSession, id, position + items, items, items * 272L, now);
    insertSession.executeUpdate();
    for (int i = 0; i < turns; i++) {
      Turn turn = Turn.of(i);
      for (int k = 0; k < Turn.ITEMS; k++) {
        item(id, turn.texts().get(k), turn.crcs().get(k), now);
      }
    }
  }

  private void item(String id, String text, long crc, long now) throws SQLException {
    BareLoop.bindItem(insertItem, ++position, id, text, crc, now);
    insertItem.executeUpdate();
    if (++inTransaction == ITEMS_A_TRANSACTION) {
      inTransaction = 0;
      Jdbc.run(connection, "COMMIT", "BEGIN IMMEDIATE");
    }
  }

  /** Adds many sessions without items; a number is their age and shuffles them. */
  void emptySessions(int count) throws SQLException {
    Jdbc.run(
        connection,
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
            + count
            + ") INSERT INTO agent_sessions (session_id, created_at, updated_at, clew_version,"
            + " clew_created, clew_updated, clew_title, clew_title_key)"
            + " SELECT printf('session-%08d', i), '"
            + BareLoop.TIME
            + "', '"
            + BareLoop.TIME
            + "', i, 1700000000000 + i, 1700000000000 + (i * 7919) % 1000003,"
            + " 'Conversation ' || i, 'conversation ' || i FROM n");
  }

  /** Adds many conversations of one turn, one each quarter of an hour until now, with titles. */
  void conversations(String prefix, int count) throws SQLException {
    for (int i = 0; i < count; i++) {
      session(prefix + i, Turn.ITEMS);
    }
    Jdbc.run(
        connection,
        "UPDATE agent_sessions SET clew_title = 'Conversation ' || rowid,"
            + " clew_title_key = 'conversation ' || rowid,"
            + " clew_created = clew_created - rowid * 900000,"
            + " clew_updated = clew_updated - rowid * 900000");
  }

  @Override
  public void close() throws SQLException {
    if (indexed) {
      Jdbc.run(connection, "UPDATE clew_meta SET value = " + position + " WHERE name = 'indexed'");
    }
    Jdbc.run(connection, "COMMIT", "PRAGMA wal_checkpoint(TRUNCATE)");
    connection.close();
  }
}
