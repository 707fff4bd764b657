package dev.clew.sqlite;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Inserts and deletes rows of histories, inside a transaction of the {@link Committer}. Stateless.
 */
final class ItemRows {
  private static final int MOST_ROWS = 8;

  /** First position, session, time as text, time as number. */
  private static final int COMMON = 4;

  private static final List<String> INSERT_PLAIN_ROWS = insertRows(false);
  private static final List<String> INSERT_ROWS = insertRows(true);

  /*
   * One statement for several rows takes two thirds of the time of one for each. Binding a value
   * takes about as long as storing it, so common values are bound once, and absent ones never.
   */
  private static List<String> insertRows(boolean withExtras) {
    List<String> statements = new ArrayList<>();
    StringBuilder values = new StringBuilder();
    int parameter = COMMON;
    for (int row = 0; row < MOST_ROWS; row++) {
      values.append(row == 0 ? "" : ", ").append("(?1 + ").append(row).append(", ?2, ?");
      values.append(++parameter).append(", ?3, ?").append(++parameter).append(", ?4, ");
      if (withExtras) {
        values.append('?').append(++parameter).append(", ?").append(++parameter).append(')');
      } else {
        values.append("NULL, NULL)");
      }
      statements.add(
          "INSERT INTO {messages} (id, session_id, message_data, created_at, clew_crc, clew_added,"
              + " clew_notes, clew_item_id) VALUES "
              + values);
    }
    return statements;
  }

  private ItemRows() {}

  /**
   * Inserts items from a position on.
   *
   * @param times when each was added
   * @param createdAt the time that other programs see; null for the same
   */
  static void insert(
      Tx tx,
      String id,
      long firstPosition,
      List<Prepared.Row> rows,
      long[] times,
      @Nullable String createdAt)
      throws SQLException {
    int start = 0;
    while (start < times.length) { // usually all have the same time
      int end = start + 1;
      while (end < times.length && times[end] == times[start]) {
        end++;
      }
      String text = createdAt == null ? Tx.sqlTime(times[start]) : createdAt;
      insert(tx, id, firstPosition + start, rows.subList(start, end), times[start], text);
      start = end;
    }
  }

  private static void insert(
      Tx tx, String id, long firstPosition, List<Prepared.Row> rows, long added, String createdAt)
      throws SQLException {
    for (int i = 0; i < rows.size(); i += MOST_ROWS) {
      List<Prepared.Row> some = rows.subList(i, Math.min(rows.size(), i + MOST_ROWS));
      boolean extras = some.stream().anyMatch(Prepared.Row::hasExtras);
      List<String> statements = extras ? INSERT_ROWS : INSERT_PLAIN_ROWS;
      PreparedStatement insert = tx.db.prepare(statements.get(some.size() - 1));
      insert.setLong(1, firstPosition + i);
      insert.setString(2, id);
      insert.setString(3, createdAt);
      insert.setLong(4, added);
      int parameter = COMMON;
      for (Prepared.Row row : some) {
        insert.setString(++parameter, row.json());
        insert.setLong(++parameter, row.crc());
        if (extras) {
          setNullable(insert, ++parameter, row.notes());
          setNullable(insert, ++parameter, row.itemId());
        }
      }
      insert.executeUpdate();
    }
  }

  private static void setNullable(PreparedStatement statement, int index, @Nullable String text)
      throws SQLException {
    if (text == null) {
      statement.setNull(index, Types.NULL);
    } else {
      statement.setString(index, text);
    }
  }

  /** Deletes rows; returns their size. */
  static long delete(Tx tx, List<Long> positions) throws SQLException {
    long bytes = 0;
    for (long position : positions) {
      bytes += tx.db.number(0, "SELECT {bytes} FROM {messages} WHERE id = ?", position);
      tx.db.update("DELETE FROM {messages} WHERE id = ?", position);
      SearchIndex.forget(tx, position);
    }
    return bytes;
  }
}
