package dev.clew.bench;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * A bare loop on the two tables of the OpenAI Agents SDK without anything of Clew's, with that
 * SDK's statements: the least a program that shares such a file has to do. Not thread-safe.
 */
final class SeedLoop implements Appender {
  private final Connection connection;
  private final PreparedStatement begin;
  private final PreparedStatement insertSession;
  private final PreparedStatement insertItem;
  private final PreparedStatement update;
  private final PreparedStatement commit;

  SeedLoop(Path file) throws SQLException {
    connection = Jdbc.connect(file);
    Jdbc.run(
        connection,
        "CREATE TABLE IF NOT EXISTS agent_sessions (session_id TEXT PRIMARY KEY,"
            + " created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,"
            + " updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP)",
        "CREATE TABLE IF NOT EXISTS agent_messages (id INTEGER PRIMARY KEY AUTOINCREMENT,"
            + " session_id TEXT NOT NULL, message_data TEXT NOT NULL,"
            + " created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,"
            + " FOREIGN KEY (session_id) REFERENCES agent_sessions (session_id)"
            + " ON DELETE CASCADE)",
        "CREATE INDEX IF NOT EXISTS idx_agent_messages_session_id"
            + " ON agent_messages (session_id, id)");
    begin = connection.prepareStatement("BEGIN IMMEDIATE");
    insertSession =
        connection.prepareStatement("INSERT OR IGNORE INTO agent_sessions (session_id) VALUES (?)");
    insertItem =
        connection.prepareStatement(
            "INSERT INTO agent_messages (session_id, message_data) VALUES (?, ?)");
    update =
        connection.prepareStatement(
            "UPDATE agent_sessions SET updated_at = CURRENT_TIMESTAMP WHERE session_id = ?");
    commit = connection.prepareStatement("COMMIT");
  }

  @Override
  public void append(String session, Turn turn) throws SQLException {
    begin.execute();
    insertSession.setString(1, session);
    insertSession.executeUpdate();
    for (String text : turn.texts()) {
      insertItem.setString(1, session);
      insertItem.setString(2, text);
      insertItem.executeUpdate();
    }
    update.setString(1, session);
    update.executeUpdate();
    commit.execute();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
