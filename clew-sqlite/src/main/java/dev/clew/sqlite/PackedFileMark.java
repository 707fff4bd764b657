package dev.clew.sqlite;

import java.sql.SQLException;

/**
 * What a file has as long as it may have packed rows: a version that older programs refuse, and
 * triggers that keep other programs from changing what they cannot read. Stateless.
 */
final class PackedFileMark {
  private PackedFileMark() {}

  /** Sets it before the first row is packed. Called in a transaction. */
  static void set(Db db) throws SQLException {
    if (change(db, Schema.VERSION, Schema.PACKED_VERSION)) {
      Schema.run(db, "packed.sql");
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
