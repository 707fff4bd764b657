package dev.clew.sqlite;

import dev.clew.Commit.DocumentPut;
import dev.clew.Documents;
import dev.clew.Receipt;
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
import org.jspecify.annotations.Nullable;

/** Documents as rows. Thread-safe. */
record SqliteRecords(Connections connections, Committer committer, Clock clock)
    implements Documents {
  private static final String COLUMNS = "owner, name, json, version, expires";
  private static final String LIVE = "(expires IS NULL OR expires > ?)";

  @Override
  public Optional<Document> get(String owner, String name) {
    return connections.read(db -> find(db, owner, name, clock.millis()));
  }

  static Optional<Document> find(Db db, String owner, String name, long now) throws SQLException {
    return db.first(
        "SELECT " + COLUMNS + " FROM {our}records WHERE owner = ? AND name = ? AND " + LIVE,
        SqliteRecords::read,
        owner,
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
    return committer.commit(
        tx -> {
          put(tx, owner, name, json, expectedVersion, timeToLive);
          return find(tx.db, owner, name, tx.now).orElseThrow();
        });
  }

  /** Puts the document of a commit, inside a transaction of the {@link Committer}. */
  static void put(Tx tx, String owner, DocumentPut put, Receipt receipt) throws SQLException {
    String json = put.json().apply(receipt);
    DocumentRules.checkJson(put.name(), json);
    put(tx, owner, put.name(), json, put.expectedVersion(), put.timeToLive());
  }

  private static void put(
      Tx tx,
      String owner,
      String name,
      String json,
      OptionalLong expectedVersion,
      Optional<Duration> timeToLive)
      throws SQLException {
    Long expires = timeToLive.map(life -> tx.now + TimeToLive.millis(life)).orElse(null);
    if (expectedVersion.equals(OptionalLong.of(0)) && insert(tx, owner, name, json, expires)) {
      return;
    }
    if (expectedVersion.isPresent()) {
      long version = find(tx.db, owner, name, tx.now).map(Document::version).orElse(0L);
      if (expectedVersion.getAsLong() != version) {
        throw Conflicts.record(owner, name, expectedVersion.getAsLong(), version);
      }
    }
    // A new row each time: its automatic number is the version, which so never comes again.
    tx.db.update(
        "INSERT OR REPLACE INTO {our}records (owner, name, json, expires) VALUES (?, ?, ?, ?)",
        owner,
        name,
        json,
        expires);
  }

  /** Makes a record, unless there is one, be it expired. */
  private static boolean insert(
      Tx tx, String owner, String name, String json, @Nullable Long expires) throws SQLException {
    return tx.db.update(
            "INSERT INTO {our}records (owner, name, json, expires) VALUES (?, ?, ?, ?)"
                + " ON CONFLICT DO NOTHING",
            owner,
            name,
            json,
            expires)
        > 0;
  }

  @Override
  public boolean delete(String owner, String name) {
    return committer.commit(
        tx -> {
          boolean live = find(tx.db, owner, name, tx.now).isPresent();
          tx.db.update("DELETE FROM {our}records WHERE owner = ? AND name = ?", owner, name);
          return live;
        });
  }

  @Override
  public List<Document> list(String owner, String prefix, Optional<String> after, int limit) {
    return connections.read(db -> list(db, owner, prefix, after, limit, clock.millis()));
  }

  static List<Document> list(
      Db db, String owner, String prefix, Optional<String> after, int limit, long now)
      throws SQLException {
    return db.all(
        "SELECT "
            + COLUMNS
            + " FROM {our}records WHERE owner = ? AND name >= ? AND name > ?"
            + " AND substr(name, 1, length(?)) = ? AND "
            + LIVE
            + " ORDER BY name LIMIT ?",
        SqliteRecords::read,
        owner,
        prefix,
        after.orElse(""),
        prefix,
        prefix,
        now,
        limit);
  }
}
