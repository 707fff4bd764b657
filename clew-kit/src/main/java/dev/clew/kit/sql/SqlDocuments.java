package dev.clew.kit.sql;

import dev.clew.Commit.DocumentPut;
import dev.clew.Documents;
import dev.clew.Receipt;
import dev.clew.kit.Conflicts;
import dev.clew.kit.DocumentRules;
import dev.clew.kit.TimeToLive;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Documents as rows. As thread-safe as the subclass. */
public abstract class SqlDocuments implements Documents {
  private static final String COLUMNS = "owner, name, json, version, expires";
  private static final String LIVE = "(expires IS NULL OR expires > ?)";

  private final String table;
  private final String which;
  private final Dialect dialect;

  /**
   * The SQL that differs between databases.
   *
   * @param table the name of the table
   * @param ownerColumn the column by which an owner's documents are found
   * @param put inserts or replaces a document, given owner key, name, owner, JSON and expiry
   * @param startsWith whether the name starts with a bound text
   * @param lock what a query ends with to lock the rows it finds
   */
  public record Dialect(
      String table, String ownerColumn, String put, String startsWith, String lock) {}

  /** Statements at a point in time, in a transaction if they write. */
  public interface Work<T> {
    T run(Sql sql, long now) throws SQLException;
  }

  protected SqlDocuments(Dialect dialect) {
    this.dialect = dialect;
    table = " FROM " + dialect.table();
    which = table + " WHERE " + dialect.ownerColumn() + " = ? AND name = ?";
  }

  protected abstract <T> T read(Work<T> work);

  protected abstract <T> T write(Work<T> work);

  /** What {@link Dialect#ownerColumn} holds for an owner. */
  protected Object ownerKey(String owner) {
    return owner;
  }

  /** Keeps others from writing a document, existing or not, until the transaction ends. */
  protected void lock(Sql sql, String owner, String name) throws SQLException {}

  @Override
  public final Optional<Document> get(String owner, String name) {
    return read((sql, now) -> get(sql, owner, name, now));
  }

  /** As {@link #get(String, String)}, on a connection. */
  public final Optional<Document> get(Sql sql, String owner, String name, long now)
      throws SQLException {
    String query = "SELECT " + COLUMNS + which + " AND " + LIVE;
    return sql.first(query, SqlDocuments::document, ownerKey(owner), name, now);
  }

  private static Document document(ResultSet row) throws SQLException {
    Optional<Instant> expires =
        Optional.ofNullable(Sql.nullableLong(row, 5)).map(Instant::ofEpochMilli);
    return new Document(
        row.getString(1), row.getString(2), row.getString(3), row.getLong(4), expires);
  }

  @Override
  public final Document put(
      String owner,
      String name,
      String json,
      OptionalLong expectedVersion,
      Optional<Duration> timeToLive) {
    return write((sql, now) -> put(sql, owner, name, json, expectedVersion, timeToLive, now));
  }

  /** Writes the document of a commit, in its transaction. */
  public final void put(Sql sql, String owner, DocumentPut put, Receipt receipt, long now)
      throws SQLException {
    String json = put.json().apply(receipt);
    DocumentRules.checkJson(put.name(), json);
    put(sql, owner, put.name(), json, put.expectedVersion(), put.timeToLive(), now);
  }

  private Document put(
      Sql sql,
      String owner,
      String name,
      String json,
      OptionalLong expected,
      Optional<Duration> timeToLive,
      long now)
      throws SQLException {
    lock(sql, owner, name);
    if (expected.isPresent()) {
      String query = "SELECT version" + which + " AND " + LIVE + dialect.lock();
      long version = sql.number(0, query, ownerKey(owner), name, now);
      if (version != expected.getAsLong()) {
        throw Conflicts.document(owner, name, expected.getAsLong(), version);
      }
    }
    Long expires = timeToLive.map(life -> now + TimeToLive.millis(life)).orElse(null);
    return sql.first(
            dialect.put() + " RETURNING " + COLUMNS,
            SqlDocuments::document,
            ownerKey(owner),
            name,
            owner,
            json,
            expires)
        .orElseThrow();
  }

  @Override
  public final boolean delete(String owner, String name) {
    String delete = "DELETE" + which + " RETURNING " + LIVE;
    return write(
        (sql, now) ->
            sql.first(delete, row -> row.getBoolean(1), ownerKey(owner), name, now).orElse(false));
  }

  @Override
  public final List<Document> list(String owner, String prefix, Optional<String> after, int limit) {
    return read((sql, now) -> list(sql, owner, prefix, after.orElse(""), limit, now));
  }

  /** As {@link #list(String, String, Optional, int)}, on a connection. */
  public List<Document> list(
      Sql sql, String owner, String prefix, String after, int limit, long now) throws SQLException {
    return sql.all(
        "SELECT %s%s WHERE %s = ? AND name >= ? AND name > ? AND %s AND %s ORDER BY name LIMIT ?"
            .formatted(COLUMNS, table, dialect.ownerColumn(), dialect.startsWith(), LIVE),
        SqlDocuments::document,
        ownerKey(owner),
        prefix,
        after,
        prefix,
        now,
        limit);
  }
}
