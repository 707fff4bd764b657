package dev.clew.bench;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Properties;

/**
 * One plain connection with the settings of the store, and the bare queries. Not thread-safe.
 *
 * <p>The queries are those of any program that keeps sessions in these tables: the text column of
 * one session, as strings in a list.
 */
final class Jdbc implements AutoCloseable {
  /** How many items are read from the end. Part of the query, for it is slower if it is bound. */
  static final int LIMIT = 20;

  final Connection connection;
  private final PreparedStatement last;
  private final PreparedStatement all;

  private Jdbc(Connection connection) throws SQLException {
    this.connection = connection;
    last =
        connection.prepareStatement(
            "SELECT message_data FROM agent_messages WHERE session_id = ?"
                + " ORDER BY id DESC LIMIT "
                + LIMIT);
    all =
        connection.prepareStatement(
            "SELECT message_data FROM agent_messages WHERE session_id = ? ORDER BY id");
  }

  /** Opens a file that has the tables. */
  static Jdbc open(Path file) throws SQLException {
    return new Jdbc(connect(file));
  }

  static Connection connect(Path file) throws SQLException {
    Properties properties = new Properties();
    // The driver would ask for the last row id after each insert.
    properties.setProperty("jdbc.get_generated_keys", "false");
    Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file, properties);
    run(
        connection,
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = FULL",
        "PRAGMA wal_autocheckpoint = 500",
        "PRAGMA temp_store = MEMORY",
        "PRAGMA foreign_keys = ON",
        "PRAGMA secure_delete = ON");
    return connection;
  }

  static void run(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  int last(String session) throws SQLException {
    last.setString(1, session);
    List<String> texts = texts(last);
    Collections.reverse(texts);
    return texts.size();
  }

  int all(String session) throws SQLException {
    all.setString(1, session);
    return texts(all).size();
  }

  private static List<String> texts(PreparedStatement statement) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
