package dev.clew.sqlite;

import java.sql.SQLException;
import java.util.List;

/**
 * What a file has as long as it may have packed rows: a version that older programs refuse, and
 * triggers that keep other programs from changing what they cannot read. Stateless.
 */
final class PackedFileMark {
  private static final String PACKED_ROW =
      "typeof(OLD.message_data) = 'blob' AND CAST(OLD.message_data AS INTEGER) > 0 AND "
          + Schema.UNLESS_OURS
          + " BEGIN SELECT RAISE(ABORT, 'clew: this session is compressed and cannot be changed"
          + " by other programs; run clew sessions decompress first'); END";

  /** The SDK for Python pops by deleting a row, and then finds that it cannot read it. */
  private static final List<String> TRIGGERS =
      List.of(
          "CREATE TRIGGER {our}packed_delete BEFORE DELETE ON {messages} WHEN " + PACKED_ROW,
          "CREATE TRIGGER {our}packed_edit BEFORE UPDATE OF message_data ON {messages} WHEN "
              + PACKED_ROW);

  private PackedFileMark() {}

  /** Sets it before the first row is packed. Called in a transaction. */
  static void set(Db db) throws SQLException {
    if (change(db, Schema.VERSION, Schema.PACKED_VERSION)) {
      for (String trigger : TRIGGERS) {
        db.execute(trigger);
      }
    }
  }

  /** Takes it away when no row is packed any more. Called in a transaction. */
  static void remove(Db db) throws SQLException {
    if (change(db, Schema.PACKED_VERSION, Schema.VERSION)) {
      db.execute("DROP TRIGGER {our}packed_delete", "DROP TRIGGER {our}packed_edit");
    }
  }

  private static boolean change(Db db, int from, int to) throws SQLException {
    return db.update("UPDATE {our}meta SET value = ? WHERE name = 'schema' AND value = ?", to, from)
        > 0;
  }
}
