package dev.clew.postgres;

import dev.clew.ClewException;
import dev.clew.Opening;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tables, by version. Stateless.
 *
 * <p>Every table of a session has {@code session} first in its key: the first 128 bits of the
 * SHA-256 of owner and id, so that a distributed database can shard by it. Numbers of a session
 * come from one counter, {@code sessions.version}: each appended item takes one as its position,
 * each other change takes one as its version.
 *
 * <pre>
 * sessions    session   owner id      alive version items title   …   one row each; stays, emptied, after a clear
 * items       session   position data                        crc      the history
 *             3f2a…     1        {"role":"user","content":…} 91…
 *             3f2a…     2        {"role":"assistant",…}      17…
 * archive     as items, with the version that replaced them
 * operations  session   operation digest version …                    operation ids, for two days
 * changes     session   version kind position at                      what was not an append, for a day
 * leases      session   name holder fence expires
 * quarantine  session   position data                                 damaged items that were popped
 * records     owner_key name json version expires
 * search      session   position terms                                index, derived from the items
 * unindexed   session   first last                                    what the index lacks
 * listeners   listener  until                                         who wants to be notified
 * meta        name value                                              schema version, number floor
 * </pre>
 */
public final class PostgresSchema {
  static final int VERSION = 1;

  /** Makes sure that one process at a time changes tables; the number has no meaning. */
  private static final long LOCK = 0x636c6577L;

  private static final int OLDEST_SERVER = 130_000;

  private static final List<String> VERSION_1 =
      List.of(
          "CREATE TABLE {s}.meta (name text PRIMARY KEY, value bigint NOT NULL)",
          """
          CREATE TABLE {s}.sessions (
            session uuid PRIMARY KEY,
            owner text COLLATE "C" NOT NULL,
            id text COLLATE "C" NOT NULL,
            alive boolean NOT NULL DEFAULT false,
            version bigint NOT NULL,
            born bigint NOT NULL,
            low bigint NOT NULL DEFAULT 0,
            change_floor bigint NOT NULL DEFAULT 0,
            items bigint NOT NULL DEFAULT 0,
            bytes bigint NOT NULL DEFAULT 0,
            created bigint NOT NULL DEFAULT 0,
            updated bigint NOT NULL DEFAULT 0,
            title text COLLATE "C" NOT NULL DEFAULT '',
            title_key text COLLATE "C" NOT NULL DEFAULT '',
            metadata text,
            tags text[] NOT NULL DEFAULT '{}',
            archived boolean NOT NULL DEFAULT false,
            pinned boolean NOT NULL DEFAULT false,
            ttl bigint,
            parent_owner text,
            parent_id text,
            parent_position bigint)\
          """,
          "CREATE INDEX sessions_by_updated ON {s}.sessions (owner, updated DESC) WHERE alive",
          "CREATE INDEX sessions_by_created ON {s}.sessions (owner, created DESC) WHERE alive",
          "CREATE INDEX sessions_by_title ON {s}.sessions (owner, left(title_key, 64)) WHERE alive",
          "CREATE INDEX sessions_by_end ON {s}.sessions ((updated + ttl))"
              + " WHERE alive AND ttl IS NOT NULL",
          "CREATE INDEX sessions_cleared ON {s}.sessions (updated) WHERE NOT alive",
          "CREATE INDEX sessions_cleared_by_owner ON {s}.sessions (owner) WHERE NOT alive",
          """
          CREATE TABLE {s}.items (
            session uuid,
            position bigint,
            data text NOT NULL,
            crc bigint NOT NULL,
            added bigint NOT NULL,
            notes text,
            item_key bigint,
            PRIMARY KEY (session, position))\
          """,
          "CREATE INDEX items_by_item_key ON {s}.items (session, item_key)"
              + " WHERE item_key IS NOT NULL",
          """
          CREATE TABLE {s}.archive (
            session uuid,
            position bigint,
            data text NOT NULL,
            crc bigint NOT NULL,
            added bigint NOT NULL,
            notes text,
            item_key bigint,
            generation bigint NOT NULL,
            PRIMARY KEY (session, position))\
          """,
          "CREATE INDEX archive_by_generation ON {s}.archive (session, generation, position)",
          """
          CREATE TABLE {s}.operations (
            session uuid,
            operation uuid,
            digest text NOT NULL,
            version bigint NOT NULL,
            first_position bigint,
            last_position bigint,
            done_at bigint NOT NULL,
            PRIMARY KEY (session, operation))\
          """,
          "CREATE INDEX operations_by_time ON {s}.operations (done_at)",
          """
          CREATE TABLE {s}.changes (
            session uuid,
            version bigint,
            kind text NOT NULL,
            position bigint NOT NULL,
            at bigint NOT NULL,
            PRIMARY KEY (session, version))\
          """,
          "CREATE INDEX changes_by_time ON {s}.changes (at)",
          """
          CREATE TABLE {s}.leases (
            session uuid,
            name_key uuid,
            owner text COLLATE "C" NOT NULL,
            name text NOT NULL,
            holder text NOT NULL,
            fence bigint NOT NULL,
            expires bigint NOT NULL,
            PRIMARY KEY (session, name_key))\
          """,
          "CREATE INDEX leases_by_owner ON {s}.leases (owner)",
          """
          CREATE TABLE {s}.quarantine (
            session uuid,
            position bigint,
            owner text COLLATE "C" NOT NULL,
            id text COLLATE "C" NOT NULL,
            data text NOT NULL,
            found_at bigint NOT NULL,
            PRIMARY KEY (session, position))\
          """,
          "CREATE SEQUENCE {s}.record_versions",
          "CREATE SEQUENCE {s}.fences",
          """
          CREATE TABLE {s}.records (
            owner_key uuid,
            name text COLLATE "C",
            owner text COLLATE "C" NOT NULL,
            json text NOT NULL,
            version bigint NOT NULL,
            expires bigint,
            PRIMARY KEY (owner_key, name))\
          """,
          "CREATE INDEX records_by_owner ON {s}.records (owner)",
          "CREATE INDEX records_by_end ON {s}.records (expires) WHERE expires IS NOT NULL",
          """
          CREATE TABLE {s}.search (
            session uuid,
            position bigint,
            added bigint NOT NULL,
            terms tsvector NOT NULL,
            PRIMARY KEY (session, position))\
          """,
          "CREATE INDEX search_by_term ON {s}.search USING gin (terms)",
          """
          CREATE TABLE {s}.unindexed (
            session uuid,
            first bigint,
            last bigint NOT NULL,
            PRIMARY KEY (session, first))\
          """,
          "CREATE TABLE {s}.listeners (listener uuid PRIMARY KEY, until timestamptz NOT NULL)",
          "INSERT INTO {s}.meta (name, value) VALUES ('schema', 1), ('floor', 0)");

  /** How many of {@link #LATER_INDEXES} the tables have; who does not know them needs not. */
  private static final int INDEXES = 1;

  /** Indexes that tables of version 1 got later. Every list is right without them, but slower. */
  private static final List<String> LATER_INDEXES =
      List.of(
          "CREATE INDEX IF NOT EXISTS sessions_pinned ON {s}.sessions (owner, updated DESC)"
              + " WHERE alive AND pinned",
          "CREATE INDEX IF NOT EXISTS sessions_archived ON {s}.sessions (owner, updated DESC)"
              + " WHERE alive AND archived",
          "CREATE INDEX IF NOT EXISTS sessions_tagged ON {s}.sessions (owner, updated DESC)"
              + " WHERE alive AND tags <> '{}'",
          "INSERT INTO {s}.meta (name, value) VALUES ('indexes', "
              + INDEXES
              + ") ON CONFLICT (name) DO UPDATE SET value = excluded.value");

  private PostgresSchema() {}

  /** The statements that make the tables in the schema {@code clew}, for {@code psql}. */
  public static String sql() {
    return sql(Names.DEFAULT_SCHEMA);
  }

  /**
   * The statements that make the tables in a schema, for {@code psql}. They are applied as a whole
   * or not at all, and behind them the indexes that tables of the same version may lack.
   *
   * @throws IllegalArgumentException if the name of the schema is not usable
   */
  public static String sql(String schema) {
    Names names = Names.of(schema, Optional.empty());
    String schemaItself = names.sql("CREATE SCHEMA IF NOT EXISTS {s}");
    return transaction(
            "tables of version " + VERSION,
            Stream.concat(Stream.of(schemaItself), VERSION_1.stream().map(names::sql)))
        + transaction(
            "indexes that tables made by an older Clew lack; for those this part is enough",
            LATER_INDEXES.stream().map(names::sql));
  }

  private static String transaction(String what, Stream<String> statements) {
    return statements.collect(
        Collectors.joining(";\n", "-- Clew, " + what + "\nBEGIN;\n", ";\nCOMMIT;\n"));
  }

  /** Brings the tables up to our version, or checks that somebody has. */
  static void prepare(
      Connections connections, PostgresErrors errors, boolean apply, Opening opening) {
    connections.read(db -> checkServer(db, errors));
    boolean there = connections.read(db -> isCurrent(db, errors));
    if (!there && !opening.mayCreate()) {
      throw new ClewException.NoSuchStore(
          errors.where()
              + ": the tables of Clew are not there; check the URL, or make them with 'clew init'");
    }
    if (there && (!apply || opening.isReadOnly() || connections.read(PostgresSchema::hasIndexes))) {
      return;
    }
    if (!apply) {
      throw errors.unavailable(
          "the tables are missing or older than version "
              + VERSION
              + "; have the output of 'clew schema postgres' applied, or open with migrate=apply");
    }
    boolean made =
        connections.write(
            db -> {
              db.exists("SELECT pg_advisory_xact_lock(" + LOCK + ")");
              boolean missing = !isCurrent(db, errors);
              if (missing) {
                create(db);
              }
              if (!hasIndexes(db)) {
                run(db, LATER_INDEXES);
              }
              return missing;
            });
    if (made) {
      opening.made("the tables of Clew in " + errors.where());
    }
  }

  private static void create(Db db) throws SQLException {
    boolean there = db.exists("SELECT 1 FROM pg_namespace WHERE nspname = ?", db.names().schema());
    if (!there) {
      db.execute("CREATE SCHEMA {s}");
    }
    run(db, VERSION_1);
  }

  private static void run(Db db, List<String> statements) throws SQLException {
    for (String statement : statements) {
      db.execute(statement);
    }
  }

  private static boolean hasIndexes(Db db) throws SQLException {
    return db.number(0, "SELECT value FROM {s}.meta WHERE name = 'indexes'") >= INDEXES;
  }

  private static boolean checkServer(Db db, PostgresErrors errors) throws SQLException {
    long version = db.number(0, "SELECT current_setting('server_version_num')::bigint");
    if (version < OLDEST_SERVER) {
      throw errors.unavailable(
          "the server is PostgreSQL " + version / 10_000 + "; version 13 or newer is needed");
    }
    String encoding =
        db.first("SELECT current_setting('server_encoding')", row -> row.getString(1)).orElse("");
    if (!encoding.equals("UTF8")) {
      throw errors.unavailable(
          "the database is encoded in "
              + encoding
              + ", which cannot hold every text; create one with ENCODING 'UTF8'");
    }
    return true;
  }

  private static boolean isCurrent(Db db, PostgresErrors errors) throws SQLException {
    boolean known =
        // Not by to_regclass: what it remembers may be older than the lock.
        db.exists(
            "SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                + " WHERE n.nspname = ? AND c.relname = 'meta'",
            db.names().schema());
    long version = known ? db.number(0, "SELECT value FROM {s}.meta WHERE name = 'schema'") : 0;
    if (version > VERSION) {
      throw new ClewException.StoreUnavailable(
          errors.where()
              + ": was written by a newer Clew (schema "
              + version
              + ", this one knows "
              + VERSION
              + "); update Clew, nothing was changed",
          null,
          false);
    }
    return version == VERSION;
  }
}
