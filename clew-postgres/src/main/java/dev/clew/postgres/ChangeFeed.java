package dev.clew.postgres;

import dev.clew.ClewException;
import dev.clew.SessionKey;
import dev.clew.kit.ChangeWatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds changes by other processes through a connection that listens for notifications.
 * Thread-safe.
 *
 * <p>A notification is only a hint: every {@value #LOOK_MILLIS} ms the versions of the watched
 * sessions are compared as well, so that nothing is missed while the connection is down or while
 * other processes do not know yet that somebody listens.
 */
final class ChangeFeed extends ChangeWatch {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeFeed.class);
  private static final int LOOK_MILLIS = 1_000;

  /** How long to wait for a notification before seeing whether the store was closed. */
  private static final int WAIT_MILLIS = 50;

  private static final long PAUSE_NANOS = 200_000_000;

  private final Connections connections;
  private final UUID id = UUID.randomUUID();
  private final Map<UUID, Long> seen = new HashMap<>(); // used by the thread only

  ChangeFeed(Connections connections) {
    super("clew-postgres-listen");
    this.connections = connections;
  }

  @Override
  protected void run() {
    while (!isClosed()) {
      try (Connection connection = connections.extra()) {
        listen(connection);
      } catch (ClewException.Closed e) {
        return;
      } catch (SQLException e) {
        if (!isClosed()) {
          LOG.debug("lost the connection that listens for changes; connecting again", e);
          LockSupport.parkNanos(this, PAUSE_NANOS);
        }
      } catch (RuntimeException | Error e) { // keep the thread alive
        LOG.error("could not listen for changes; connecting again", e);
        LockSupport.parkNanos(this, PAUSE_NANOS);
      }
    }
  }

  private void listen(Connection connection) throws SQLException {
    Db db = connections.db(connection);
    PGConnection raw = connection.unwrap(PGConnection.class);
    db.execute("LISTEN \"" + db.names().channel() + "\"");
    long look = System.nanoTime();
    while (!isClosed()) {
      Map<UUID, SessionKey> watched = watchedById();
      if (System.nanoTime() - look >= 0) {
        register(db);
        look(db, watched);
        look = System.nanoTime() + LOOK_MILLIS * 1_000_000L;
      }
      PGNotification[] heard = raw.getNotifications(WAIT_MILLIS);
      if (heard != null) {
        for (PGNotification notification : heard) {
          SessionKey key = watched.get(session(notification));
          if (key != null) {
            changed(key);
          }
        }
      }
    }
    db.execute("UNLISTEN *");
    if (!connections.isReadOnly()) {
      db.update("DELETE FROM {s}.listeners WHERE listener = ?", id);
    }
  }

  private static @Nullable UUID session(PGNotification notification) {
    try {
      return UUID.fromString(notification.getParameter());
    } catch (IllegalArgumentException e) {
      return null; // not our message
    }
  }

  private Map<UUID, SessionKey> watchedById() {
    Map<UUID, SessionKey> watched = new HashMap<>();
    watched().forEach(key -> watched.put(Keys.of(key), key));
    return watched;
  }

  /** Registers this process as a listener for 30 s, unless the store is read-only. */
  private void register(Db db) throws SQLException {
    if (connections.isReadOnly()) {
      return;
    }
    db.update(
        "INSERT INTO {s}.listeners (listener, until) VALUES (?, now() + interval '30 s')"
            + " ON CONFLICT (listener) DO UPDATE SET until = EXCLUDED.until"
            + " WHERE listeners.until < now() + interval '15 s'",
        id);
  }

  private void look(Db db, Map<UUID, SessionKey> watched) throws SQLException {
    Map<UUID, Long> versions = new HashMap<>();
    db.all(
            "SELECT session, version FROM {s}.sessions WHERE session = ANY (?)",
            row -> Map.entry(row.getObject(1, UUID.class), row.getLong(2)),
            (Object) watched.keySet().toArray(UUID[]::new))
        .forEach(entry -> versions.put(entry.getKey(), entry.getValue()));
    watched.forEach(
        (session, key) -> {
          long version = versions.getOrDefault(session, 0L);
          Long before = seen.put(session, version);
          if (before == null || before != version) {
            changed(key);
          }
        });
    seen.keySet().retainAll(watched.keySet());
  }
}
