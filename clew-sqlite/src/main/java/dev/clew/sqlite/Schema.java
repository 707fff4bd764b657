package dev.clew.sqlite;

import dev.clew.ClewException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The tables of the file, and how they come to be. Stateless.
 *
 * <p>The first two tables are those of the OpenAI Agents SDK for Python, and are shared with it:
 *
 * <pre>
 * agent_sessions  session_id | created_at          | updated_at          | clew_…
 *                 user_123   | 2026-11-15 09:00:00 | 2026-11-15 09:04:31 |
 * agent_messages  id | session_id | message_data                       | created_at          | clew_…
 *                 17 | user_123   | {"role":"user","content":"Hello"}  | 2026-11-15 09:00:00 |
 * </pre>
 *
 * Clew adds columns with defaults, so the other program's statements work on unchanged: {@code
 * clew_crc} is the CRC32C of the text we wrote and null in a row somebody else wrote.
 *
 * <p>{@code id} is the position. It also gives the versions: every change that is not an append
 * takes the next number of the same sequence and leaves a row in {@code clew_changes}, so a
 * session's version is the last number it used, and "what happened since version v" is one range of
 * ids and one of changes. Entries that replace a prefix get negative ids, counted down in {@code
 * clew_meta}.
 *
 * <p>Triggers keep our columns right when another program writes. They touch plain tables only and
 * use nothing newer than SQLite 3.35, because that program brings its own SQLite. Our own
 * transactions do their bookkeeping themselves and silence the triggers by a row named {@code
 * quiet} in {@code clew_meta}, which no other connection ever sees.
 */
final class Schema {
  static final int VERSION = 1;

  /** A file that may have packed rows, see {@link PackedFileMark}. */
  static final int PACKED_VERSION = 2;

  private static final Set<String> SESSION_COLUMNS =
      Set.of("session_id", "created_at", "updated_at");
  private static final Set<String> MESSAGE_COLUMNS =
      Set.of("id", "session_id", "message_data", "created_at");

  static final String NOW_MS = "CAST((julianday('now') - 2440587.5) * 86400000 + 0.5 AS INTEGER)";
  static final String UNLESS_OURS = "NOT EXISTS (SELECT 1 FROM {our}meta WHERE name = 'quiet')";
  private static final String NEXT_NUMBER =
      "UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = '{messages}';";
  private static final String NUMBER =
      "(SELECT seq FROM sqlite_sequence WHERE name = '{messages}')";

  /** The time of the message before a new one, which is not to be older: our clock may be ahead. */
  private static final String TIME_BEFORE =
      "(SELECT created_at FROM {messages} WHERE session_id = NEW.session_id AND id < NEW.id"
          + " ORDER BY id DESC LIMIT 1)";

  private static final List<String> SHARED_TABLES =
      List.of(
          "CREATE TABLE IF NOT EXISTS {sessions} ("
              + "session_id TEXT PRIMARY KEY,"
              + " created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,"
              + " updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP)",
          "CREATE TABLE IF NOT EXISTS {messages} ("
              + "id INTEGER PRIMARY KEY AUTOINCREMENT,"
              + " session_id TEXT NOT NULL,"
              + " message_data TEXT NOT NULL,"
              + " created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,"
              + " FOREIGN KEY (session_id) REFERENCES {sessions} (session_id) ON DELETE CASCADE)");

  /** The owner in the id of a session. */
  static final String OWNER =
      "CASE WHEN substr(session_id, 1, 5) = 'clew:'"
          + " AND instr(substr(session_id, 6), ':') > 0"
          + " THEN substr(session_id, 6, instr(substr(session_id, 6), ':') - 1)"
          + " ELSE '' END";

  private static final List<String> OUR_COLUMNS =
      List.of(
          "{sessions} ADD COLUMN clew_version INTEGER NOT NULL DEFAULT 0",
          "{sessions} ADD COLUMN clew_count INTEGER NOT NULL DEFAULT 0",
          "{sessions} ADD COLUMN clew_bytes INTEGER NOT NULL DEFAULT 0",
          "{sessions} ADD COLUMN clew_created INTEGER NOT NULL DEFAULT 0",
          "{sessions} ADD COLUMN clew_updated INTEGER NOT NULL DEFAULT 0",
          "{sessions} ADD COLUMN clew_title TEXT NOT NULL DEFAULT ''",
          "{sessions} ADD COLUMN clew_title_key TEXT NOT NULL DEFAULT ''",
          "{sessions} ADD COLUMN clew_metadata TEXT",
          "{sessions} ADD COLUMN clew_tags TEXT",
          "{sessions} ADD COLUMN clew_archived INTEGER NOT NULL DEFAULT 0",
          "{sessions} ADD COLUMN clew_pinned INTEGER NOT NULL DEFAULT 0",
          "{sessions} ADD COLUMN clew_ttl INTEGER",
          "{sessions} ADD COLUMN clew_parent TEXT",
          "{sessions} ADD COLUMN clew_parent_position INTEGER",
          "{sessions} ADD COLUMN clew_owner TEXT GENERATED ALWAYS AS (" + OWNER + ") VIRTUAL",
          "{messages} ADD COLUMN clew_crc INTEGER",
          "{messages} ADD COLUMN clew_added INTEGER",
          "{messages} ADD COLUMN clew_notes TEXT",
          "{messages} ADD COLUMN clew_item_id TEXT");

  static final String SEARCH_INDEX =
      "CREATE VIRTUAL TABLE {our}search USING fts5(owner, terms, tokenize = ascii,"
          + " content = '', contentless_delete = 1)";

  static final List<String> OUR_TABLES =
      List.of(
          "CREATE INDEX {our}by_updated ON {sessions} (clew_owner, clew_updated DESC, session_id)",
          "CREATE INDEX {our}by_created ON {sessions} (clew_owner, clew_created DESC, session_id)",
          "CREATE INDEX {our}by_title ON {sessions} (clew_owner, clew_title_key, session_id)",
          "CREATE INDEX {our}by_expiry ON {sessions} (clew_updated + clew_ttl)"
              + " WHERE clew_ttl IS NOT NULL",
          "CREATE INDEX {our}by_item_id ON {messages} (session_id, clew_item_id)"
              + " WHERE clew_item_id IS NOT NULL",
          "CREATE TABLE {our}meta (name TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID",
          "CREATE TABLE {our}changes (seq INTEGER PRIMARY KEY, session_id TEXT NOT NULL,"
              + " kind TEXT NOT NULL, position INTEGER)",
          "CREATE INDEX {our}changes_by_session ON {our}changes (session_id, seq)",
          "CREATE TABLE {our}archive (position INTEGER PRIMARY KEY, session_id TEXT NOT NULL,"
              + " generation INTEGER NOT NULL, data TEXT NOT NULL, created_at TEXT, crc INTEGER,"
              + " added INTEGER, notes TEXT, item_id TEXT)",
          "CREATE INDEX {our}archive_by_session ON {our}archive (session_id, generation, position)",
          "CREATE TABLE {our}operations (session_id TEXT, operation_id TEXT, digest TEXT NOT NULL,"
              + " version INTEGER NOT NULL, first_position INTEGER, last_position INTEGER,"
              + " done_at INTEGER NOT NULL, PRIMARY KEY (session_id, operation_id)) WITHOUT ROWID",
          "CREATE INDEX {our}operations_by_time ON {our}operations (done_at)",
          "CREATE TABLE {our}leases (session_id TEXT, name TEXT, holder TEXT NOT NULL,"
              + " fence INTEGER NOT NULL, expires INTEGER NOT NULL,"
              + " PRIMARY KEY (session_id, name)) WITHOUT ROWID",
          "CREATE TABLE {our}records (version INTEGER PRIMARY KEY AUTOINCREMENT,"
              + " owner TEXT NOT NULL, name TEXT NOT NULL, json TEXT NOT NULL, expires INTEGER,"
              + " UNIQUE (owner, name))",
          "CREATE INDEX {our}records_by_expiry ON {our}records (expires)"
              + " WHERE expires IS NOT NULL",
          "CREATE TABLE {our}quarantine (position INTEGER PRIMARY KEY, session_id TEXT NOT NULL,"
              + " data BLOB, found_at INTEGER NOT NULL)",
          "CREATE INDEX {our}quarantine_by_session ON {our}quarantine (session_id)",
          "CREATE TABLE {our}unindexed (position INTEGER PRIMARY KEY)",
          SEARCH_INDEX);

  /**
   * Indexes that files of version 1 got later; how many a file has is in {@code clew_meta}. Every
   * answer is right without them, but slower.
   */
  private static final List<String> LATER_INDEXES =
      List.of(
          "CREATE INDEX IF NOT EXISTS {our}pinned ON {sessions}"
              + " (clew_owner, clew_updated DESC, session_id) WHERE clew_pinned = 1",
          "CREATE INDEX IF NOT EXISTS {our}archived ON {sessions}"
              + " (clew_owner, clew_updated DESC, session_id) WHERE clew_archived = 1",
          "CREATE INDEX IF NOT EXISTS {our}tagged ON {sessions}"
              + " (clew_owner, clew_updated DESC, session_id) WHERE clew_tags IS NOT NULL",
          // What another program wrote is not in the index by the ids of items.
          "CREATE INDEX IF NOT EXISTS {our}foreign_rows ON {messages} (session_id, id)"
              + " WHERE clew_crc IS NULL",
          "CREATE INDEX IF NOT EXISTS {our}packed ON {sessions} (session_id)"
              + " WHERE clew_packed IS NOT NULL");

  /**
   * What else files of version 1 got later: of a session with packed rows the version up to which
   * all are packed that can be, or 0.
   */
  private static final String LATER_COLUMN = "clew_packed";

  private static final List<String> TRIGGERS =
      List.of(
          "CREATE TRIGGER {our}foreign_session AFTER INSERT ON {sessions}"
              + " WHEN NEW.clew_created = 0 BEGIN "
              + NEXT_NUMBER
              + " UPDATE {sessions} SET clew_version = "
              + NUMBER
              + ", clew_created = "
              + NOW_MS
              + ", clew_updated = "
              + NOW_MS
              + " WHERE session_id = NEW.session_id; END",
          "CREATE TRIGGER {our}foreign_insert AFTER INSERT ON {messages}"
              + " WHEN NEW.clew_crc IS NULL AND "
              + UNLESS_OURS
              + " BEGIN"
              + " INSERT OR IGNORE INTO {sessions} (session_id) VALUES (NEW.session_id);"
              + " UPDATE {sessions} SET clew_version = NEW.id, clew_count = clew_count + 1,"
              + " clew_bytes = clew_bytes + length(CAST(NEW.message_data AS BLOB)),"
              + touched("NEW.session_id")
              + " UPDATE {messages} SET created_at = "
              + TIME_BEFORE
              + " WHERE id = NEW.id AND created_at < "
              + TIME_BEFORE
              + "; END",
          "CREATE TRIGGER {our}foreign_delete AFTER DELETE ON {messages} WHEN "
              + UNLESS_OURS
              + " BEGIN "
              + NEXT_NUMBER
              + " INSERT INTO {our}changes (seq, session_id, kind, position)"
              + " VALUES ("
              + NUMBER
              + ", OLD.session_id, 'removed', OLD.id);"
              + " UPDATE {sessions} SET clew_version = "
              + NUMBER
              + ", clew_count = clew_count - 1,"
              + " clew_bytes = clew_bytes - length(CAST(OLD.message_data AS BLOB)),"
              + touched("OLD.session_id")
              + " INSERT OR IGNORE INTO {our}unindexed (position) VALUES (OLD.id); END",
          "CREATE TRIGGER {our}foreign_edit AFTER UPDATE OF message_data ON {messages} WHEN "
              + UNLESS_OURS
              + " BEGIN "
              + NEXT_NUMBER
              + " INSERT INTO {our}changes (seq, session_id, kind, position)"
              + " VALUES ("
              + NUMBER
              + ", NEW.session_id, 'edited', NEW.id);"
              + " UPDATE {sessions} SET clew_version = "
              + NUMBER
              + ", clew_bytes = clew_bytes - length(CAST(OLD.message_data AS BLOB))"
              + " + length(CAST(NEW.message_data AS BLOB)),"
              + touched("NEW.session_id")
              + " UPDATE {messages} SET clew_crc = NULL, clew_item_id = NULL WHERE id = NEW.id;"
              + " INSERT OR IGNORE INTO {our}unindexed (position) VALUES (NEW.id); END",
          "CREATE TRIGGER {our}foreign_clear AFTER DELETE ON {sessions} WHEN "
              + UNLESS_OURS
              + " BEGIN "
              + NEXT_NUMBER
              + " DELETE FROM {our}changes WHERE session_id = OLD.session_id;"
              + " INSERT INTO {our}changes (seq, session_id, kind) VALUES ("
              + NUMBER
              + ", OLD.session_id, 'cleared');"
              + " INSERT OR IGNORE INTO {our}unindexed (position)"
              + " SELECT position FROM {our}archive WHERE session_id = OLD.session_id;"
              + " DELETE FROM {our}archive WHERE session_id = OLD.session_id;"
              + " DELETE FROM {our}operations WHERE session_id = OLD.session_id;"
              + " DELETE FROM {our}quarantine WHERE session_id = OLD.session_id; END");

  private static String touched(String session) {
    return " clew_updated = max(clew_updated, " + NOW_MS + ") WHERE session_id = " + session + ";";
  }

  /** What rows that were there before us get in our columns; their own columns are not touched. */
  private static final List<String> ADOPT =
      List.of(
          "INSERT OR IGNORE INTO {sessions} (session_id) SELECT DISTINCT session_id FROM {messages}",
          "INSERT INTO sqlite_sequence (name, seq) SELECT '{messages}', 0"
              + " WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = '{messages}')",
          "UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = '{messages}'"
              + " AND EXISTS (SELECT 1 FROM {sessions})",
          "UPDATE {sessions} SET"
              + " clew_version = coalesce((SELECT max(id) FROM {messages} m"
              + " WHERE m.session_id = {sessions}.session_id), "
              + NUMBER
              + "),"
              + " clew_count = (SELECT count(*) FROM {messages} m"
              + " WHERE m.session_id = {sessions}.session_id),"
              + " clew_bytes = (SELECT coalesce(sum(length(CAST(message_data AS BLOB))), 0)"
              + " FROM {messages} m WHERE m.session_id = {sessions}.session_id),"
              + " clew_created = coalesce(strftime('%s', created_at) * 1000, "
              + NOW_MS
              + "),"
              + " clew_updated = coalesce(strftime('%s', updated_at) * 1000, "
              + NOW_MS
              + ")",
          "INSERT INTO {our}meta (name, value) VALUES ('low_position', 0), ('indexed', 0),"
              + " ('change_floor', 0)");

  private Schema() {}

  /** What lets our statements read a file that lacks something, and stays as it is. */
  static List<String> views(Db db, String where) throws SQLException {
    if (!requireSessions(db, where)) {
      return ForeignView.statements();
    }
    return columns(db, db.names().sessions()).contains(LATER_COLUMN)
        ? List.of()
        : List.of(
            "CREATE TEMP VIEW {sessions} AS SELECT *, NULL AS "
                + LATER_COLUMN
                + " FROM main.{sessions}");
  }

  /**
   * Whether the tables of Clew are there, and not only those of another program.
   *
   * @throws ClewException.NoSuchStore if there are neither
   */
  static boolean requireSessions(Db db, String where) throws SQLException {
    if (isCurrent(db, where)) {
      return true;
    }
    if (columns(db, db.names().sessions()).isEmpty()
        || columns(db, db.names().messages()).isEmpty()) {
      throw new ClewException.NoSuchStore(
          where
              + ": is a SQLite database without sessions; check the path, or have the tables of"
              + " Clew made in it with 'clew init'");
    }
    checkTables(db, where);
    return false;
  }

  /**
   * Brings the file up to our version, or refuses it. Cheap when there is nothing to do.
   *
   * @return whether it made our tables
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
          where
              + ": was written by a newer Clew (schema "
              + version
              + ", this one knows "
              + PACKED_VERSION
              + "); update Clew, nothing was changed",
          null,
          false);
    }
    return version >= VERSION;
  }

  private static boolean hasIndexes(Db db) throws SQLException {
    return db.number(0, "SELECT value FROM {our}meta WHERE name = 'indexes'")
        >= LATER_INDEXES.size();
  }

  private static void addIndexes(Db db) throws SQLException {
    if (!columns(db, db.names().sessions()).contains(LATER_COLUMN)) {
      db.execute("ALTER TABLE {sessions} ADD COLUMN " + LATER_COLUMN + " INTEGER");
    }
    for (String index : LATER_INDEXES) {
      db.execute(index);
    }
    db.execute(
        "INSERT OR REPLACE INTO {our}meta (name, value) VALUES ('indexes', "
            + LATER_INDEXES.size()
            + ")");
  }

  private static void create(Db db, String where) throws SQLException {
    checkTables(db, where);
    for (String table : SHARED_TABLES) {
      db.execute(table);
    }
    for (String column : OUR_COLUMNS) {
      db.execute("ALTER TABLE " + column);
    }
    for (String table : OUR_TABLES) {
      db.execute(table);
    }
    if (!indexedById(db)) {
      // Not under the SDK's name: an early SDK takes ties of time in the order of its own index by
      // time, and would not make that one if the name were taken.
      db.execute("CREATE INDEX {our}by_session ON {messages} (session_id, id)");
    }
    for (String statement : ADOPT) {
      db.execute(statement);
    }
    for (String trigger : TRIGGERS) {
      db.execute(trigger);
    }
    db.execute("INSERT INTO {our}meta (name, value) VALUES ('schema', " + VERSION + ")");
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
        where
            + ": the table '"
            + table
            + "' is not a session table: missing columns "
            + missing
            + ", unknown columns "
            + other
            + "; choose other table names (sessions_table, messages_table) or another file",
        null,
        false);
  }
}
