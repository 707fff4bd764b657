package dev.clew.postgres;

import dev.clew.Leases;
import dev.clew.SessionKey;
import dev.clew.kit.TimeToLive;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Leases as rows. Thread-safe. */
record PostgresLeases(Connections connections, Clock clock) implements Leases {
  @Override
  public Optional<Grant> tryAcquire(
      SessionKey key, String name, String holder, Duration timeToLive) {
    long now = clock.millis();
    // One statement, so that the row is locked: other callers see the result of the first.
    return connections.write(
        db ->
            db.first(
                "INSERT INTO {s}.leases AS l"
                    + " (session, name_key, owner, name, holder, fence, expires)"
                    + " VALUES (?, ?, ?, ?, ?, nextval('{s}.fences'), ?)"
                    + " ON CONFLICT (session, name_key) DO UPDATE SET"
                    + " fence = CASE WHEN l.expires > ? THEN l.fence ELSE EXCLUDED.fence END,"
                    + " holder = EXCLUDED.holder, expires = EXCLUDED.expires"
                    + " WHERE l.expires <= ? OR l.holder = EXCLUDED.holder"
                    + " RETURNING holder, fence, expires",
                row -> grant(key, name, row),
                Keys.of(key),
                Keys.of(name),
                key.owner(),
                PgText.write(name),
                PgText.write(holder),
                now + TimeToLive.millis(timeToLive),
                now,
                now));
  }

  @Override
  public Optional<Grant> renew(Grant grant, Duration timeToLive) {
    long expires = clock.millis() + TimeToLive.millis(timeToLive);
    return connections.write(
        db ->
            db.first(
                "UPDATE {s}.leases SET expires = ? WHERE session = ? AND name_key = ?"
                    + " AND holder = ? AND fence = ? AND expires > 0"
                    + " RETURNING holder, fence, expires",
                row -> grant(grant.key(), grant.name(), row),
                expires,
                Keys.of(grant.key()),
                Keys.of(grant.name()),
                PgText.write(grant.holder()),
                grant.fence()));
  }

  @Override
  public void release(Grant grant) {
    // The row stays, so that the next holder's fence is higher.
    connections.write(
        db ->
            db.update(
                "UPDATE {s}.leases SET expires = 0 WHERE session = ? AND name_key = ?"
                    + " AND holder = ? AND fence = ?",
                Keys.of(grant.key()),
                Keys.of(grant.name()),
                PgText.write(grant.holder()),
                grant.fence()));
  }

  @Override
  public Optional<Grant> holder(SessionKey key, String name) {
    return connections.read(
        db ->
            db.first(
                "SELECT holder, fence, expires FROM {s}.leases"
                    + " WHERE session = ? AND name_key = ? AND expires > ?",
                row -> grant(key, name, row),
                Keys.of(key),
                Keys.of(name),
                clock.millis()));
  }

  private static Grant grant(SessionKey key, String name, ResultSet row) throws SQLException {
    String holder = PgText.read(row.getString(1));
    return new Grant(key, name, holder, row.getLong(2), Instant.ofEpochMilli(row.getLong(3)));
  }
}
