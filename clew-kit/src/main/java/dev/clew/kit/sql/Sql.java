package dev.clew.kit.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Runs statements on one connection. Not thread-safe. */
public interface Sql {
  /** Reads a row, or a whole result. */
  interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Reads the result of a query. */
  <T> T query(String template, Row<T> result, @Nullable Object... values) throws SQLException;

  /** Runs a statement; how many rows it changed. */
  int update(String template, @Nullable Object... values) throws SQLException;

  /** The first row. */
  default <T> Optional<T> first(String template, Row<T> row, @Nullable Object... values)
      throws SQLException {
    return query(
        template, rows -> rows.next() ? Optional.of(row.read(rows)) : Optional.empty(), values);
  }

  /** The first row that is not empty. */
  default <T> Optional<T> find(String template, Row<Optional<T>> row, @Nullable Object... values)
      throws SQLException {
    return query(
        template,
        rows -> {
          Optional<T> found = Optional.empty();
          while (found.isEmpty() && rows.next()) {
            found = row.read(rows);
          }
          return found;
        },
        values);
  }

  /** All rows. */
  default <T> List<T> all(String template, Row<T> row, @Nullable Object... values)
      throws SQLException {
    return query(
        template,
        rows -> {
          List<T> all = new ArrayList<>();
          while (rows.next()) {
            all.add(row.read(rows));
          }
          return all;
        },
        values);
  }

  /** The texts in the first column. */
  default List<String> texts(String template, @Nullable Object... values) throws SQLException {
    return all(template, row -> row.getString(1), values);
  }

  /** The number in the first row, or {@code otherwise} if there is none or it is null. */
  default long number(long otherwise, String template, @Nullable Object... values)
      throws SQLException {
    return query(
        template,
        rows -> {
          @Nullable Long number = rows.next() ? nullableLong(rows, 1) : null;
          return number == null ? otherwise : number;
        },
        values);
  }

  /** Whether there is a row. */
  default boolean exists(String template, @Nullable Object... values) throws SQLException {
    return query(template, ResultSet::next, values);
  }

  /** The number in a column, or null. */
  static @Nullable Long nullableLong(ResultSet row, int column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : value;
  }

  /** The number in a column, if there is one. */
  static OptionalLong optionalLong(ResultSet row, int column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
  }

  /** The number to bind, or null. */
  static @Nullable Long nullable(OptionalLong value) {
    return value.isPresent() ? (Long) value.getAsLong() : null;
  }
}
