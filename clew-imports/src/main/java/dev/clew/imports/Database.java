package dev.clew.imports;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

/** A database of another program, which is only read. Not thread-safe. */
record Database(Connection connection) implements AutoCloseable {
  private static final byte[] SQLITE = "SQLite format 3\0".getBytes(StandardCharsets.UTF_8);
  private static final int FETCH = 500;

  /** What is made of a row. */
  interface Row<T> {
    T of(ResultSet row) throws SQLException;
  }

  /** Whether a source is a SQLite file. */
  static boolean isSqliteFile(String source) {
    return SourceFiles.path(source)
        .map(path -> Arrays.equals(SourceFiles.head(path, SQLITE.length), SQLITE))
        .orElse(false);
  }

  /**
   * Opens a SQLite file by its name, or anything by a JDBC URL.
   *
   * @throws BadSource if there is nothing to open, or no driver for it
   */
  static Database open(String source) throws SQLException {
    boolean url = source.startsWith("jdbc:");
    Optional<Path> path = SourceFiles.path(source);
    if (!url && path.isEmpty()) {
      throw new BadSource("there is no file '" + source + "'");
    }
    if (!url && !isSqliteFile(source)) {
      throw new BadSource("'" + source + "' is no SQLite file; nothing was written");
    }
    Properties settings = new Properties();
    if (!url || source.startsWith("jdbc:sqlite:")) {
      settings.setProperty("open_mode", "1"); // read only; a file that is missing is not made
    }
    try {
      Connection connection =
          DriverManager.getConnection(url ? source : "jdbc:sqlite:" + source, settings);
      connection.setAutoCommit(false); // so that everything is of one moment, and fetched in parts
      return new Database(connection);
    } catch (SQLException e) {
      if (String.valueOf(e.getMessage()).contains("No suitable driver")) {
        throw new BadSource(
            "there is no driver for '"
                + withoutSettings(source)
                + "'; the modules clew-sqlite and clew-postgres have those of SQLite and"
                + " PostgreSQL");
      }
      throw e;
    }
  }

  /** A URL without what follows the question mark, which may be a password. */
  static String withoutSettings(String source) {
    int question = source.startsWith("jdbc:") ? source.indexOf('?') : -1;
    return question < 0 ? source : source.substring(0, question);
  }

  /** The columns of a table in small letters; none if there is no such table. */
  Set<String> columns(String table) {
    Set<String> columns = new TreeSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT * FROM " + quoted(table) + " WHERE 1 = 0")) {
      ResultSetMetaData about = rows.getMetaData();
      for (int i = 1; i <= about.getColumnCount(); i++) {
        columns.add(about.getColumnName(i).toLowerCase(Locale.ROOT));
      }
    } catch (SQLException e) {
      rollback();
    }
    return columns;
  }

  /** After a statement that failed, PostgreSQL refuses all others of the transaction. */
  private void rollback() {
    try {
      connection.rollback();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A name as it is; in a name without quotes PostgreSQL would see small letters. */
  static String quoted(String name) {
    return name.matches("[A-Za-z_][A-Za-z0-9_]*") ? name : '"' + name.replace("\"", "\"\"") + '"';
  }

  <T> List<T> all(String sql, Row<T> row, Object... arguments) throws SQLException {
    List<T> all = new ArrayList<>();
    each(sql, found -> all.add(row.of(found)), arguments);
    return all;
  }

  /** Calls with each row, until it says that it has enough. */
  void each(String sql, Row<Boolean> row, Object... arguments) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setFetchSize(FETCH);
      for (int i = 0; i < arguments.length; i++) {
        statement.setObject(i + 1, arguments[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        boolean more = true;
        while (more && rows.next()) {
          more = row.of(rows);
        }
      }
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
