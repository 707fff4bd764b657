package dev.clew.sqlite;

import dev.clew.kit.sql.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One connection with its prepared statements. Not thread-safe: used by one thread at a time. */
final class Db implements Sql, AutoCloseable {
  private static final int PART = 5_000;

  private final Connection connection;
  private final Names names;
  private final BusyWait busyWait;
  private final Map<String, PreparedStatement> statements = new HashMap<>();
  private boolean held;

  /** Uses one row. */
  interface RowUse {
    void accept(ResultSet row) throws SQLException;
  }

  Db(Connection connection, Names names, BusyWait busyWait) {
    this.connection = connection;
    this.names = names;
    this.busyWait = busyWait;
  }

  Names names() {
    return names;
  }

  /** The statement for a template, prepared once. The caller closes its result set. */
  PreparedStatement prepare(String template) throws SQLException {
    PreparedStatement statement = statements.get(template);
    if (statement == null) {
      statement = connection.prepareStatement(names.sql(template));
      statements.put(template, statement);
    }
    return statement;
  }

  /**
   * Forgets the statements after an error: the driver finalises one that failed, and it would fail
   * forever.
   */
  void forgetStatements() {
    for (PreparedStatement statement : statements.values()) {
      try {
        statement.close();
      } catch (SQLException e) {
        // It is not used any more either way.
      }
    }
    statements.clear();
  }

  PreparedStatement bind(String template, @Nullable Object... values) throws SQLException {
    PreparedStatement statement = prepare(template);
    for (int i = 0; i < values.length; i++) {
      Object value = values[i];
      if (value instanceof String text) {
        statement.setString(i + 1, text);
      } else if (value instanceof Long number) {
        statement.setLong(i + 1, number);
      } else if (value instanceof Integer number) {
        statement.setInt(i + 1, number);
      } else if (value instanceof byte[] bytes) {
        statement.setBytes(i + 1, bytes);
      } else if (value == null) {
        statement.setNull(i + 1, Types.NULL);
      } else {
        throw new IllegalArgumentException("cannot bind a " + value.getClass());
      }
    }
    return statement;
  }

  @Override
  public <T> T query(String template, Row<T> result, @Nullable Object... values)
      throws SQLException {
    try (ResultSet rows = bind(template, values).executeQuery()) {
      return result.read(rows);
    }
  }

  @Override
  public int update(String template, @Nullable Object... values) throws SQLException {
    return bind(template, values).executeUpdate();
  }

  /** Deletes rows in parts: SQLite keeps what a statement changes in memory until it ends. */
  void deleteInParts(String table, String condition, Object... values) throws SQLException {
    String delete =
        "DELETE FROM %1$s WHERE rowid IN (SELECT rowid FROM %1$s WHERE %2$s LIMIT %3$d)"
            .formatted(table, condition, PART);
    while (update(delete, values) == PART) {
      // There may be more.
    }
  }

  /** Reads rows until it is enough. */
  <T> List<T> until(BooleanSupplier enough, String template, Row<T> row, @Nullable Object... values)
      throws SQLException {
    List<T> found = new ArrayList<>();
    each(enough, template, rows -> found.add(row.read(rows)), values);
    return found;
  }

  /** Uses rows until it is enough. */
  void each(BooleanSupplier enough, String template, RowUse use, @Nullable Object... values)
      throws SQLException {
    try (ResultSet rows = bind(template, values).executeQuery()) {
      while (!enough.getAsBoolean() && rows.next()) {
        use.accept(rows);
      }
    }
  }

  /** Runs statements that are not worth preparing. */
  void execute(String... templates) throws SQLException {
    try (var statement = connection.createStatement()) {
      for (String template : templates) {
        statement.execute(names.sql(template));
      }
    }
  }

  /** Starts a snapshot: from now on every read sees this moment. */
  void hold() throws SQLException {
    prepare("BEGIN").execute();
    number(0, "SELECT count(*) FROM sqlite_master"); // the snapshot starts with the first read
    held = true;
  }

  /** Several reads of the same moment. */
  <T> T snapshot(Reads<T> reads) throws SQLException {
    if (held) {
      return reads.run(this);
    }
    prepare("BEGIN").execute();
    try {
      return reads.run(this);
    } finally {
      prepare("COMMIT").execute();
    }
  }

  /** What {@link #snapshot} runs. */
  interface Reads<T> {
    T run(Db db) throws SQLException;
  }

  /** The number a statement returns, with its own limit for waiting for locks. */
  long numberWithin(Duration limit, String template) throws SQLException {
    Duration before = busyWait.limit(limit);
    try {
      return number(0, template);
    } finally {
      busyWait.limit(before);
    }
  }

  @Override
  public void close() throws SQLException {
    // Closing the connection finalises its statements.
    statements.clear();
    connection.close();
  }
}
