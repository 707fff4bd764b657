package dev.clew.sqlite;

import dev.clew.Leases;
import dev.clew.SessionKey;
import dev.clew.kit.TimeToLive;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Leases as rows. Thread-safe.
 *
 * <p>Commits are not synced: after a power loss all holders are gone, so a lost lease or a fence
 * that is issued again harms nobody.
 */
record SqliteLeases(Connections connections, Committer committer, Clock clock) implements Leases {
  @Override
  public Optional<Grant> tryAcquire(
      SessionKey key, String name, String holder, Duration timeToLive) {
    return committer.commitUnsynced(
        tx -> {
          String id = KeyText.of(key);
          Optional<Grant> current = find(tx.db, key, name);
          boolean taken = current.isPresent() && current.get().expiresAt().toEpochMilli() > tx.now;
          if (taken && !current.get().holder().equals(holder)) {
            return Optional.empty();
          }
          // From the sequence of the file, so that fences grow even after an erasure.
          long fence = taken ? current.get().fence() : tx.nextNumber();
          long expires = tx.now + TimeToLive.millis(timeToLive);
          tx.db.update(
              "INSERT OR REPLACE INTO {our}leases (session_id, name, holder, fence, expires)"
                  + " VALUES (?, ?, ?, ?, ?)",
              id,
              name,
              holder,
              fence,
              expires);
          return Optional.of(new Grant(key, name, holder, fence, Instant.ofEpochMilli(expires)));
        });
  }

  @Override
  public Optional<Grant> renew(Grant grant, Duration timeToLive) {
    return committer.commitUnsynced(
        tx ->
            tx.db.first(
                "UPDATE {our}leases SET expires = ? WHERE session_id = ? AND name = ?"
                    + " AND holder = ? AND fence = ? AND expires > 0"
                    + " RETURNING holder, fence, expires",
                row -> grant(grant.key(), grant.name(), row),
                tx.now + TimeToLive.millis(timeToLive),
                KeyText.of(grant.key()),
                grant.name(),
                grant.holder(),
                grant.fence()));
  }

  @Override
  public void release(Grant grant) {
    // The row stays, so that the next holder's fence is higher.
    committer.commitUnsynced(
        tx ->
            tx.db.update(
                "UPDATE {our}leases SET expires = 0 WHERE session_id = ? AND name = ?"
                    + " AND holder = ? AND fence = ?",
                KeyText.of(grant.key()),
                grant.name(),
                grant.holder(),
                grant.fence()));
  }

  @Override
  public Optional<Grant> holder(SessionKey key, String name) {
    return connections
        .read(db -> find(db, key, name))
        .filter(grant -> grant.expiresAt().isAfter(clock.instant()));
  }

  private static Optional<Grant> find(Db db, SessionKey key, String name) throws SQLException {
    return db.first(
        "SELECT holder, fence, expires FROM {our}leases WHERE session_id = ? AND name = ?",
        row -> grant(key, name, row),
        KeyText.of(key),
        name);
  }

  private static Grant grant(SessionKey key, String name, ResultSet row) throws SQLException {
    return new Grant(
        key, name, row.getString(1), row.getLong(2), Instant.ofEpochMilli(row.getLong(3)));
  }
}
