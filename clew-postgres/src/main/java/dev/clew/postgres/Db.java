package dev.clew.postgres;

import dev.clew.kit.sql.Sql;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A borrowed connection. Not thread-safe.
 *
 * <p>Each statement is prepared again; the driver caches them for each connection.
 */
record Db(Connection connection, Names names) implements Sql {
  PreparedStatement prepare(String template, @Nullable Object... values) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(names.sql(template));
    try {
      for (int i = 0; i < values.length; i++) {
        bind(statement, i + 1, values[i]);
      }
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
    return statement;
  }

  private void bind(PreparedStatement statement, int index, @Nullable Object value)
      throws SQLException {
    if (value instanceof String text) {
      statement.setString(index, text);
    } else if (value instanceof Long number) {
      statement.setLong(index, number);
    } else if (value instanceof Integer number) {
      statement.setInt(index, number);
    } else if (value instanceof Boolean flag) {
      statement.setBoolean(index, flag);
    } else if (value instanceof UUID uuid) {
      statement.setObject(index, uuid);
    } else if (value instanceof UUID[] uuids) {
      statement.setArray(index, array("uuid", uuids));
    } else if (value instanceof String[] texts) {
      statement.setArray(index, array("text", texts));
    } else if (value instanceof @Nullable Long[] numbers) {
      statement.setArray(index, array("int8", numbers));
    } else if (value == null) {
      statement.setNull(index, Types.NULL);
    } else {
      throw new IllegalArgumentException("cannot bind a " + value.getClass());
    }
  }

  private Array array(String type, @Nullable Object[] values) throws SQLException {
    return connection.createArrayOf(type, values);
  }

  @Override
  public <T> T query(String template, Row<T> result, @Nullable Object... values)
      throws SQLException {
    try (PreparedStatement statement = prepare(template, values);
        ResultSet rows = statement.executeQuery()) {
      return result.read(rows);
    }
  }

  @Override
  public int update(String template, @Nullable Object... values) throws SQLException {
    try (PreparedStatement statement = prepare(template, values)) {
      return statement.executeUpdate();
    }
  }

  /** The ids in the first column. */
  UUID[] uuids(String template, @Nullable Object... values) throws SQLException {
    return all(template, row -> row.getObject(1, UUID.class), values).toArray(UUID[]::new);
  }

  /** Runs statements without values. */
  void execute(String template) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(names.sql(template));
    }
  }
}
