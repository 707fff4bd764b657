package dev.clew.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What a program does that uses the OpenAI Agents SDK for Python: the statements of its {@code
 * SQLiteSession}, on a connection of its own that knows nothing of Clew. Used by one thread.
 *
 * <p>As in Python's {@code sqlite3}, a transaction begins before the first statement that writes,
 * and waits 5 s for a lock.
 */
final class PythonProgram implements AutoCloseable {

  /** Versions of the SDK, which differ in their index and in how they order. */
  enum Sdk {
    /** As in seed 000: ordered by time. */
    OLD("created_at"),
    /** As of today: ordered by id. */
    NEW("id");

    final String order;

    Sdk(String order) {
      this.order = order;
    }
  }

  private final Connection connection;
  private final Sdk sdk;
  private final String sessions;
  private final String messages;

  private PythonProgram(Connection connection, Sdk sdk, String sessions, String messages) {
    this.connection = connection;
    this.sdk = sdk;
    this.sessions = sessions;
    this.messages = messages;
  }

  static PythonProgram start(Path file) throws SQLException {
    return start(file, Sdk.NEW);
  }

  static PythonProgram start(Path file, Sdk sdk) throws SQLException {
    return start(file, sdk, "agent_sessions", "agent_messages");
  }

  static PythonProgram start(Path file, Sdk sdk, String sessions, String messages)
      throws SQLException {
    Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
    PythonProgram program = new PythonProgram(connection, sdk, sessions, messages);
    program.run("PRAGMA busy_timeout = 5000");
    program.run("PRAGMA journal_mode=WAL");
    program.run(
        "CREATE TABLE IF NOT EXISTS {sessions} (session_id TEXT PRIMARY KEY,"
            + " created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,"
            + " updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP)");
    program.run(
        "CREATE TABLE IF NOT EXISTS {messages} (id INTEGER PRIMARY KEY AUTOINCREMENT,"
            + " session_id TEXT NOT NULL, message_data TEXT NOT NULL,"
            + " created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,"
            + " FOREIGN KEY (session_id) REFERENCES {sessions} (session_id) ON DELETE CASCADE)");
    program.run(
        "CREATE INDEX IF NOT EXISTS idx_{messages}_session_id ON {messages} (session_id, "
            + sdk.order
            + ")");
    return program;
  }

  void addItems(String session, String... items) throws SQLException {
    run("BEGIN");
    run("INSERT OR IGNORE INTO {sessions} (session_id) VALUES (?)", session);
    for (String item : items) {
      run("INSERT INTO {messages} (session_id, message_data) VALUES (?, ?)", session, item);
    }
    run("UPDATE {sessions} SET updated_at = CURRENT_TIMESTAMP WHERE session_id = ?", session);
    run("COMMIT");
  }

  List<String> getItems(String session) throws SQLException {
    return texts(
        "SELECT message_data FROM {messages} WHERE session_id = ? ORDER BY " + sdk.order + " ASC",
        session);
  }

  List<String> getItems(String session, int limit) throws SQLException {
    List<String> newestFirst =
        texts(
            "SELECT message_data FROM {messages} WHERE session_id = ? ORDER BY "
                + sdk.order
                + " DESC LIMIT ?",
            session,
            limit);
    Collections.reverse(newestFirst);
    return newestFirst;
  }

  Optional<String> popItem(String session) throws SQLException {
    run("BEGIN");
    List<String> popped =
        texts(
            "DELETE FROM {messages} WHERE id = (SELECT id FROM {messages} WHERE session_id = ?"
                + " ORDER BY "
                + sdk.order
                + " DESC LIMIT 1) RETURNING message_data",
            session);
    run("COMMIT");
    return popped.stream().findFirst();
  }

  void clearSession(String session) throws SQLException {
    run("BEGIN");
    run("DELETE FROM {messages} WHERE session_id = ?", session);
    run("DELETE FROM {sessions} WHERE session_id = ?", session);
    run("COMMIT");
  }

  /** Any statement, for what is not the SDK's. */
  void run(String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = prepare(sql, values)) {
      statement.execute();
    }
  }

  /** The first column of each row, as text. */
  List<String> texts(String sql, Object... values) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (PreparedStatement statement = prepare(sql, values);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }

  private PreparedStatement prepare(String sql, Object... values) throws SQLException {
    PreparedStatement statement =
        connection.prepareStatement(
            sql.replace("{sessions}", sessions).replace("{messages}", messages));
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
