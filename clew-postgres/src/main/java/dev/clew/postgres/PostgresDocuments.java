package dev.clew.postgres;

import dev.clew.SessionKey;
import dev.clew.kit.sql.Sql;
import dev.clew.kit.sql.SqlDocuments;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;

/** Documents as rows of {@code records}. Thread-safe. */
final class PostgresDocuments extends SqlDocuments {
  private static final Dialect DIALECT =
      new Dialect(
          "{s}.records",
          "owner_key",
          "INSERT INTO {s}.records (owner_key, name, owner, json, version, expires)"
              + " VALUES (?, ?, ?, ?, nextval('{s}.record_versions'), ?)"
              + " ON CONFLICT (owner_key, name) DO UPDATE SET json = EXCLUDED.json,"
              + " version = nextval('{s}.record_versions'), expires = EXCLUDED.expires",
          "starts_with(name, ?)",
          " FOR UPDATE");

  private final Connections connections;
  private final Clock clock;

  PostgresDocuments(Connections connections, Clock clock) {
    super(DIALECT);
    this.connections = connections;
    this.clock = clock;
  }

  @Override
  protected <T> T read(Work<T> work) {
    return connections.read(db -> work.run(db, clock.millis()));
  }

  @Override
  protected <T> T write(Work<T> work) {
    return connections.write(db -> work.run(db, clock.millis()));
  }

  @Override
  protected Object ownerKey(String owner) {
    return Keys.of(owner);
  }

  /** A row that does not exist cannot be locked, so the name is. */
  @Override
  protected void lock(Sql sql, String owner, String name) throws SQLException {
    long key = Keys.of(new SessionKey(owner, name)).getMostSignificantBits();
    sql.exists("SELECT pg_advisory_xact_lock(?)", key);
  }

  @Override
  public List<Document> list(
      Sql sql, String owner, String prefix, String after, int limit, long now) throws SQLException {
    return PgText.canHold(prefix)
        ? super.list(sql, owner, prefix, PgText.upToNul(after), limit, now)
        : List.of(); // no name has such a character
  }
}
