package dev.clew.postgres;

import dev.clew.ClewException;
import dev.clew.Opening;
import dev.clew.kit.sql.SqlScript;
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
 * listeners   listener  until                                         processes to notify
 * meta        name value                                              schema version, number floor
 * </pre>
 */
public final class PostgresSchema {
  static final int VERSION = 1;

  /** Lets one process at a time change tables; the number has no meaning. */
  private static final long LOCK = 0x636c6577L;

  private static final int OLDEST_SERVER = 130_000;

  /** How many versions of {@code indexes.sql} there were; tables of an older one lack some. */
  private static final int INDEXES = 1;

  private PostgresSchema() {}

  private static List<String> tables() {
    return SqlScript.read(PostgresSchema.class, "schema.sql");
  }

  private static List<String> indexes() {
    return SqlScript.read(PostgresSchema.class, "indexes.sql");
  }

  /** The statements that create the tables in the schema {@code clew}, for {@code psql}. */
  public static String sql() {
    return sql(Names.DEFAULT_SCHEMA);
  }

  /**
   * The statements that create the tables in a schema, for {@code psql}: first the tables, then the
   * indexes that tables of the same version may lack. Each part is applied as a whole.
   *
   * @throws IllegalArgumentException if the name of the schema is not usable
   */
  public static String sql(String schema) {
    Names names = Names.of(schema, Optional.empty());
    String schemaItself = names.sql("CREATE SCHEMA IF NOT EXISTS {s}");
    return transaction(
            "tables of version " + VERSION,
            Stream.concat(Stream.of(schemaItself), tables().stream().map(names::sql)))
        + transaction(
            "indexes that tables made by an older Clew lack; for those this part is enough",
            indexes().stream().map(names::sql));
  }

  private static String transaction(String what, Stream<String> statements) {
    return statements.collect(
        Collectors.joining(";\n", "-- Clew, " + what + "\nBEGIN;\n", ";\nCOMMIT;\n"));
  }

  /** Updates the tables to our version, or checks that it was done. */
  static void prepare(
      Connections connections, PostgresErrors errors, boolean apply, Opening opening) {
    connections.read(db -> checkServer(db, errors));
    boolean there = connections.read(db -> isCurrent(db, errors));
    if (!there && !opening.mayCreate()) {
      throw new ClewException.NoSuchStore(
          errors.where()
              + ": the tables of Clew are not there; check the URL, or create them with"
              + " 'clew init --store URL'");
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
                run(db, indexes());
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
    run(db, tables());
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
          String.format(
              "%s: was written by a newer Clew (schema %s, this one knows %s); update Clew, "
                  + "nothing was changed",
              errors.where(), version, VERSION),
          null,
          false);
    }
    return version == VERSION;
  }
}
