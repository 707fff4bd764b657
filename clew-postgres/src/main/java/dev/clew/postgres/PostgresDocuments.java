package dev.clew.postgres;

import dev.clew.Commit;
import dev.clew.Documents;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.kit.Conflicts;
import dev.clew.kit.DocumentRules;
import dev.clew.kit.TimeToLive;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Documents as rows. Thread-safe. */
record PostgresDocuments(Connections connections, Clock clock) implements Documents {
  private static final String COLUMNS = "owner, name, json, version, expires";
  private static final String LIVE = "(expires IS NULL OR expires > ?)";

  @Override
  public Optional<Document> get(String owner, String name) {
    return connections.read(db -> get(db, owner, name, clock.millis()));
  }

  static Optional<Document> get(Db db, String owner, String name, long now) throws SQLException {
    return db.first(
        "SELECT " + COLUMNS + " FROM {s}.records WHERE owner_key = ? AND name = ? AND " + LIVE,
        PostgresDocuments::read,
        Keys.of(owner),
        name,
        now);
  }

  private static Document read(ResultSet row) throws SQLException {
    Optional<Instant> expires =
        Optional.ofNullable(Db.nullableLong(row, 5)).map(Instant::ofEpochMilli);
    return new Document(
        row.getString(1), row.getString(2), row.getString(3), row.getLong(4), expires);
  }

  @Override
  public Document put(
      String owner,
      String name,
      String json,
      OptionalLong expectedVersion,
      Optional<Duration> timeToLive) {
    return connections.write(
        db -> put(db, owner, name, json, expectedVersion, timeToLive, clock.millis()));
  }

  /** Puts the document of a commit, inside its transaction. */
  static void put(Db db, String owner, Commit.DocumentPut put, Receipt receipt, long now)
      throws SQLException {
    String json = put.json().apply(receipt);
    DocumentRules.checkJson(put.name(), json);
    put(db, owner, put.name(), json, put.expectedVersion(), put.timeToLive(), now);
  }

  private static Document put(
      Db db,
      String owner,
      String name,
      String json,
      OptionalLong expectedVersion,
      Optional<Duration> timeToLive,
      long now)
      throws SQLException {
    long version = lock(db, owner, name, now);
    if (expectedVersion.isPresent() && expectedVersion.getAsLong() != version) {
      throw Conflicts.record(owner, name, expectedVersion.getAsLong(), version);
    }
    return db.first(
            "INSERT INTO {s}.records (owner_key, name, owner, json, version, expires)"
                + " VALUES (?, ?, ?, ?, nextval('{s}.record_versions'), ?)"
                + " ON CONFLICT (owner_key, name) DO UPDATE SET json = EXCLUDED.json,"
                + " version = nextval('{s}.record_versions'), expires = EXCLUDED.expires"
                + " RETURNING "
                + COLUMNS,
            PostgresDocuments::read,
            Keys.of(owner),
            name,
            owner,
            json,
            timeToLive.map(life -> now + TimeToLive.millis(life)).orElse(null))
        .orElseThrow();
  }

  /** The version of a document that nobody else can change until the transaction ends. */
  private static long lock(Db db, String owner, String name, long now) throws SQLException {
    // A row that does not exist cannot be locked, so the name is.
    db.first(
        "SELECT pg_advisory_xact_lock(?)",
        row -> true,
        Keys.of(new SessionKey(owner, name)).getMostSignificantBits());
    return db.number(
        0,
        "SELECT version FROM {s}.records WHERE owner_key = ? AND name = ? AND "
            + LIVE
            + " FOR UPDATE",
        Keys.of(owner),
        name,
        now);
  }

  @Override
  public boolean delete(String owner, String name) {
    return connections.write(
        db ->
            db.first(
                    "DELETE FROM {s}.records WHERE owner_key = ? AND name = ? RETURNING " + LIVE,
                    row -> row.getBoolean(1),
                    Keys.of(owner),
                    name,
                    clock.millis())
                .orElse(false));
  }

  @Override
  public List<Document> list(String owner, String prefix, Optional<String> after, int limit) {
    return connections.read(db -> list(db, owner, prefix, after, limit, clock.millis()));
  }

  static List<Document> list(
      Db db, String owner, String prefix, Optional<String> after, int limit, long now)
      throws SQLException {
    if (!PgText.canHold(prefix)) {
      return List.of(); // no name has such a character
    }
    return db.all(
        "SELECT "
            + COLUMNS
            + " FROM {s}.records WHERE owner_key = ? AND name >= ? AND name > ?"
            + " AND starts_with(name, ?) AND "
            + LIVE
            + " ORDER BY name LIMIT ?",
        PostgresDocuments::read,
        Keys.of(owner),
        prefix,
        PgText.upToNul(after.orElse("")),
        prefix,
        now,
        limit);
  }
}
