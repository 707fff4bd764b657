package dev.clew.crypto;

import dev.clew.kit.StoredText;
import dev.clew.sqlite.SqliteStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A SQLite file in the hands of somebody who may write to it but has no key. Not thread-safe. The
 * triggers that notice foreign writers are gone, and checksums are made right again.
 */
final class SqliteFile implements AutoCloseable {
  private final Connection connection;

  SqliteFile(Path file) {
    try {
      connection = DriverManager.getConnection("jdbc:sqlite:" + file);
      for (String trigger :
          texts("SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'clew%'")) {
        run("DROP TRIGGER \"" + trigger + "\"");
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** The store on a file, which looks at the file with each read. */
  static SqliteStore open(Path file) {
    return SqliteStore.builder(file.toString()).cacheBytes(0).open();
  }

  void run(String sql, Object... values) {
    try (PreparedStatement statement = bind(sql, values)) {
      statement.executeUpdate();
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  List<String> texts(String sql, Object... values) {
    try (PreparedStatement statement = bind(sql, values);
        var rows = statement.executeQuery()) {
      List<String> found = new ArrayList<>();
      while (rows.next()) {
        found.add(rows.getString(1));
      }
      return found;
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  long number(String sql, Object... values) {
    return Long.parseLong(texts(sql, values).get(0));
  }

  byte[] message(long position) {
    return texts("SELECT message_data FROM agent_messages WHERE id = ?", position)
        .get(0)
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Puts another text in the place of a row's, with the checksum that fits it. */
  void setMessage(long position, byte[] text) {
    run(
        "UPDATE agent_messages SET message_data = CAST(? AS TEXT), clew_crc = ? WHERE id = ?",
        text,
        StoredText.crc(text),
        position);
  }

  private PreparedStatement bind(String sql, Object... values) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
