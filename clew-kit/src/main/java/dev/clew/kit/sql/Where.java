package dev.clew.kit.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A query that grows condition by condition, with the values to bind. Not thread-safe. */
public final class Where {
  private final StringBuilder sql;
  private final List<Object> values = new ArrayList<>();

  /** Starts with a query that has a first condition. */
  public Where(String sql, Object... values) {
    this.sql = new StringBuilder(sql);
    this.values.addAll(List.of(values));
  }

  /** Adds a condition. */
  public Where and(String condition, Object... bound) {
    sql.append(" AND ").append(condition);
    values.addAll(List.of(bound));
    return this;
  }

  /** Adds a condition on a value, if there is one. */
  public Where and(Optional<? extends Object> value, String condition) {
    value.ifPresent(present -> and(condition, present));
    return this;
  }

  /** Adds what follows the conditions. */
  public Where then(String end, Object... bound) {
    sql.append(' ').append(end);
    values.addAll(List.of(bound));
    return this;
  }

  /** The query. */
  public String sql() {
    return sql.toString();
  }

  /** The values to bind. */
  public Object[] values() {
    return values.toArray();
  }
}
