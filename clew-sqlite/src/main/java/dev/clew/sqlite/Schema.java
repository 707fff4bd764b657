package dev.clew.sqlite;

import dev.clew.ClewException;
import dev.clew.kit.sql.SqlScript;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The tables of the file. Stateless.
 *
 * <p>The first two tables belong to the OpenAI Agents SDK for Python:
 *
 * <pre>
 * agent_sessions  session_id | created_at          | updated_at          | clew_…
 *                 user_123   | 2026-11-15 09:00:00 | 2026-11-15 09:04:31 |
 * agent_messages  id | session_id | message_data                       | created_at          | clew_…
 *                 17 | user_123   | {"role":"user","content":"Hello"}  | 2026-11-15 09:00:00 |
 * </pre>
 *
 * Clew adds columns with defaults, so statements of that program keep working. {@code clew_crc} is
 * the CRC32C of a text that we wrote, and null in rows of other programs.
 *
 * <p>{@code id} is the position. Every change that is not an append takes the next number of the
 * same sequence as its version and leaves a row in {@code clew_changes}. So the version of a
 * session is the last number it used, and what happened since a version is a range of ids and a
 * range of changes. Entries that replace a prefix get negative ids, counted down in {@code
 * clew_meta}.
 *
 * <p>Triggers keep our columns right when another program writes. They use only what SQLite 3.35
 * has, because that program brings its own SQLite. Our transactions do this work themselves and
 * silence the triggers with a row {@code quiet} in {@code clew_meta}, which no other connection
 * sees.
 */
final class Schema {
  private static final int VERSION = 1;

  /** A file that may have packed rows. */
  private static final int PACKED_VERSION = 2;

  private static final Set<String> SESSION_COLUMNS =
      Set.of("session_id", "created_at", "updated_at");
  private static final Set<String> MESSAGE_COLUMNS =
      Set.of("id", "session_id", "message_data", "created_at");

  static final String SEARCH_INDEX =
      "CREATE VIRTUAL TABLE {our}search USING fts5(owner, terms, tokenize = ascii,"
          + " content = '', contentless_delete = 1)";

  /** How many of the statements in {@code indexes.sql} a file has is in {@code clew_meta}. */
  private static final int INDEXES = 5;

  /**
   * A column that version 1 got later: for a session with packed rows the version up to which all
   * rows are packed that can be, or 0.
   */
  private static final String LATER_COLUMN = "clew_packed";

  private static final Map<String, String> WORDS =
      Map.of(
          "{now}",
          "CAST((julianday('now') - 2440587.5) * 86400000 + 0.5 AS INTEGER)",
          "{owner}",
          "CASE WHEN substr(session_id, 1, 5) = 'clew:' AND instr(substr(session_id, 6), ':') > 0"
              + " THEN substr(session_id, 6, instr(substr(session_id, 6), ':') - 1) ELSE '' END",
          "{unless_ours}",
          "NOT EXISTS (SELECT 1 FROM {our}meta WHERE name = 'quiet')",
          "{next}",
          "UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = '{messages}'",
          "{number}",
          "(SELECT seq FROM sqlite_sequence WHERE name = '{messages}')",
          "{touch}",
          "clew_updated = max(clew_updated, {now})",
          "{time_before}",
          "(SELECT created_at FROM {messages} WHERE session_id = NEW.session_id AND id < NEW.id"
              + " ORDER BY id DESC LIMIT 1)",
          "{packed}",
          "typeof(OLD.message_data) = 'blob' AND CAST(OLD.message_data AS INTEGER) > 0");

  private Schema() {}

  /** The statements of a resource. */
  private static List<String> script(String file) {
    List<String> statements = new ArrayList<>();
    for (String statement : SqlScript.read(Schema.class, file)) {
      String sql = statement.replace("{touch}", WORDS.get("{touch}"));
      for (Map.Entry<String, String> word : WORDS.entrySet()) {
        sql = sql.replace(word.getKey(), word.getValue());
      }
      statements.add(sql);
    }
    return statements;
  }

  /** The views that let our statements read a file that lacks something and must not change. */
  static List<String> views(Db db, String where) throws SQLException {
    if (!requireSessions(db, where)) {
      List<String> views = new ArrayList<>(script("views.sql"));
      script("tables.sql").stream()
          .filter(statement -> statement.startsWith("CREATE TABLE "))
          .map(statement -> statement.replaceFirst("TABLE", "TEMP TABLE"))
          .forEach(views::add);
      return views;
    }
    return columns(db, db.names().sessions()).contains(LATER_COLUMN)
        ? List.of()
        : List.of(
            "CREATE TEMP VIEW {sessions} AS SELECT *, NULL AS %s FROM main.{sessions}"
                .formatted(LATER_COLUMN));
  }

  static boolean hasSessions(Db db) throws SQLException {
    return !columns(db, db.names().sessions()).isEmpty();
  }

  /** Whether the file has the tables of Clew, and not only those of another program. */
  static boolean requireSessions(Db db, String where) throws SQLException {
    if (isCurrent(db, where)) {
      return true;
    }
    if (!hasSessions(db) || columns(db, db.names().messages()).isEmpty()) {
      throw new ClewException.NoSuchStore(
          where
              + ": the file is a SQLite database, but Clew has not been set up in it; check the"
              + " path, or run 'clew init'");
    }
    checkTables(db, where);
    return false;
  }

  /**
   * Updates the file to our version, or refuses it. Cheap if there is nothing to do.
   *
   * @return whether it created our tables
   */
  static boolean prepare(Db db, String where) throws SQLException {
    SqliteVersion.check(db, where);
    if (isCurrent(db, where) && hasIndexes(db)) {
      return false;
    }
    db.execute("PRAGMA journal_mode = WAL", "BEGIN IMMEDIATE");
    try {
      boolean made = !isCurrent(db, where);
      if (made) {
        create(db, where);
      }
      if (!hasIndexes(db)) {
        addIndexes(db);
      }
      db.execute("COMMIT");
      return made;
    } catch (SQLException | RuntimeException e) {
      db.execute("ROLLBACK");
      throw e;
    }
  }

  private static boolean isCurrent(Db db, String where) throws SQLException {
    boolean known = db.number(0, "SELECT count(*) FROM sqlite_master WHERE name = '{our}meta'") > 0;
    long version = known ? db.number(0, "SELECT value FROM {our}meta WHERE name = 'schema'") : 0;
    if (version > PACKED_VERSION) {
      throw new ClewException.StoreUnavailable(
          String.format(
              "%s: was written by a newer Clew (schema %s, this one knows %s); update Clew, "
                  + "nothing was changed",
              where, version, PACKED_VERSION),
          null,
          false);
    }
    return version >= VERSION;
  }

  private static boolean hasIndexes(Db db) throws SQLException {
    return db.number(0, "SELECT value FROM {our}meta WHERE name = 'indexes'") >= INDEXES;
  }

  private static void addIndexes(Db db) throws SQLException {
    if (!columns(db, db.names().sessions()).contains(LATER_COLUMN)) {
      db.execute("ALTER TABLE {sessions} ADD COLUMN " + LATER_COLUMN + " INTEGER");
    }
    run(db, "indexes.sql");
    db.update("INSERT OR REPLACE INTO {our}meta (name, value) VALUES ('indexes', ?)", INDEXES);
  }

  private static void create(Db db, String where) throws SQLException {
    checkTables(db, where);
    run(db, "shared.sql");
    run(db, "columns.sql");
    run(db, "tables.sql");
    db.execute(SEARCH_INDEX);
    if (!indexedById(db)) {
      // Not under the SDK's name: an early SDK needs an index of that name by time, to order items
      // of the same second, and would not create it if the name were taken.
      db.execute("CREATE INDEX {our}by_session ON {messages} (session_id, id)");
    }
    run(db, "adopt.sql");
    run(db, "triggers.sql");
    db.execute("INSERT INTO {our}meta (name, value) VALUES ('schema', " + VERSION + ")");
  }

  private static void run(Db db, String file) throws SQLException {
    db.execute(script(file).toArray(String[]::new));
  }

  private static boolean indexedById(Db db) throws SQLException {
    List<String> columns =
        db.all("PRAGMA index_info(idx_{messages}_session_id)", row -> row.getString("name"));
    return columns.equals(List.of("session_id", "id"));
  }

  private static void checkTables(Db db, String where) throws SQLException {
    refuseBranches(db, where);
    checkColumns(db, where, db.names().sessions(), SESSION_COLUMNS);
    checkColumns(db, where, db.names().messages(), MESSAGE_COLUMNS);
  }

  private static void refuseBranches(Db db, String where) throws SQLException {
    if (db.number(0, "SELECT count(*) FROM sqlite_master WHERE name = 'message_structure'") > 0) {
      throw new ClewException.StoreUnavailable(
          where
              + ": was written by AdvancedSQLiteSession, whose branches a plain session would mix"
              + " up; bring it into another store with clew import --from agents-sqlite, nothing"
              + " was changed",
          null,
          false);
    }
  }

  private static Set<String> columns(Db db, String table) throws SQLException {
    return new TreeSet<>(db.all("PRAGMA table_xinfo(" + table + ")", row -> row.getString("name")));
  }

  private static void checkColumns(Db db, String where, String table, Set<String> wanted)
      throws SQLException {
    Set<String> found = columns(db, table);
    if (found.isEmpty() || found.equals(wanted)) {
      return;
    }
    List<String> missing = new ArrayList<>(new TreeSet<>(wanted));
    missing.removeAll(found);
    List<String> other = new ArrayList<>(found);
    other.removeAll(wanted);
    throw new ClewException.StoreUnavailable(
        String.format(
            "%s: the table '%s' is not a session table: missing columns %s, unknown columns "
                + "%s; choose other table names (sessions_table, messages_table) or another file",
            where, table, missing, other),
        null,
        false);
  }

  /**
   * Marks a file before its first row is packed: older programs refuse it, and triggers keep other
   * programs from changing rows that they cannot read. Called in a transaction.
   */
  static void markPacked(Db db) throws SQLException {
    if (changeVersion(db, VERSION, PACKED_VERSION)) {
      run(db, "packed.sql");
    }
  }

  /** Removes that mark when no row is packed any more. Called in a transaction. */
  static void unmarkPacked(Db db) throws SQLException {
    if (changeVersion(db, PACKED_VERSION, VERSION)) {
      db.execute("DROP TRIGGER {our}packed_delete", "DROP TRIGGER {our}packed_edit");
    }
  }

  private static boolean changeVersion(Db db, int from, int to) throws SQLException {
    return db.update("UPDATE {our}meta SET value = ? WHERE name = 'schema' AND value = ?", to, from)
        > 0;
  }
}
