package dev.clew.postgres;

import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.json.Json;
import dev.clew.kit.ChangeEvents;
import dev.clew.kit.Conflicts;
import dev.clew.kit.Pages;
import dev.clew.kit.TimeToLive;
import dev.clew.spi.Fork;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Locks and writes rows of sessions, inside a transaction. Stateless.
 *
 * <p>Every change of a session holds the lock of its row. Rows of several sessions are locked in
 * the order of their keys, so that transactions never deadlock.
 */
final class SessionRows {
  private static final List<String> BELONGINGS =
      List.of("items", "archive", "operations", "quarantine", "changes", "search", "unindexed");

  private SessionRows() {}

  /** Locks the existing rows, whether or not their sessions exist. */
  static Map<UUID, SessionRow> lock(Db db, Collection<SessionKey> keys) throws SQLException {
    Map<UUID, SessionKey> names = new HashMap<>();
    keys.forEach(key -> names.put(Keys.of(key), key));
    Map<UUID, SessionRow> rows = new HashMap<>();
    db.all(
            "SELECT "
                + SessionRow.COLUMNS
                + " FROM {s}.sessions s WHERE s.session = ANY (?)"
                + " ORDER BY s.session FOR UPDATE",
            row ->
                SessionRow.read(
                    row, Objects.requireNonNull(names.get(row.getObject(1, UUID.class)))),
            (Object) names.keySet().toArray(UUID[]::new))
        .forEach(row -> rows.put(row.session, row));
    return rows;
  }

  /** Locks the row of a session; an expired session is removed first. */
  static Optional<SessionRow> lock(Db db, SessionKey key, long now) throws SQLException {
    SessionRow row = lock(db, List.of(key)).get(Keys.of(key));
    if (row == null) {
      return Optional.empty();
    }
    if (row.expired(now)) {
      return Optional.of(delete(db, row, now));
    }
    return Optional.of(row);
  }

  /** Locks rows, creates missing ones and removes expired sessions. */
  static Map<UUID, SessionRow> lockOrMake(Db db, Set<SessionKey> keys, long now)
      throws SQLException {
    Map<UUID, SessionRow> rows = lock(db, keys);
    while (rows.size() < keys.size()) {
      make(db, keys.stream().filter(key -> !rows.containsKey(Keys.of(key))).toList());
      rows.putAll(lock(db, keys));
    }
    for (SessionRow row : List.copyOf(rows.values())) {
      if (row.expired(now)) {
        rows.put(row.session, delete(db, row, now));
      }
    }
    return rows;
  }

  /** Locks the row of a session, and creates it if needed. */
  static SessionRow lockOrMake(Db db, SessionKey key, long now) throws SQLException {
    return lockOrMake(db, Set.of(key), now).values().iterator().next();
  }

  /* A new row continues from the floor, the highest number of the rows removed before. */
  private static void make(Db db, List<SessionKey> keys) throws SQLException {
    db.update(
        "INSERT INTO {s}.sessions (session, owner, id, version, born)"
            + " SELECT u.session, u.owner, u.id, m.value, m.value"
            + " FROM unnest(?, ?, ?) AS u (session, owner, id), {s}.meta m"
            + " WHERE m.name = 'floor' ORDER BY u.session ON CONFLICT DO NOTHING",
        keys.stream().map(Keys::of).toArray(UUID[]::new),
        keys.stream().map(SessionKey::owner).toArray(String[]::new),
        keys.stream().map(SessionKey::id).toArray(String[]::new));
  }

  /** Writes a locked row. */
  static void save(Db db, SessionRow row) throws SQLException {
    SessionInfo.Parent parent = row.parent;
    db.first(
        "UPDATE {s}.sessions s SET id = ?, alive = ?, version = ?, low = ?, items = ?, bytes = ?,"
            + " created = ?, updated = ?, title = ?, title_key = ?, metadata = ?, tags = ?,"
            + " archived = ?, pinned = ?, ttl = ?, parent_owner = ?, parent_id = ?,"
            + " parent_position = ? WHERE session = ? RETURNING {notify}",
        saved -> true,
        row.alive ? row.key.id() : "",
        row.alive,
        row.version,
        row.low,
        row.items,
        row.bytes,
        row.created,
        row.updated,
        row.title,
        Pages.titleKey(row.title),
        row.metadata,
        row.tags.toArray(String[]::new),
        row.archived,
        row.pinned,
        row.ttl,
        parent == null ? null : parent.key().owner(),
        parent == null ? null : parent.key().id(),
        parent == null ? null : (Long) parent.position(),
        row.session);
  }

  /** Records a change that is not an append under the next number of its session. */
  static long change(Db db, SessionRow row, String kind, long position, long now)
      throws SQLException {
    long version = ++row.version;
    db.update(
        "INSERT INTO {s}.changes (session, version, kind, position, at) VALUES (?, ?, ?, ?, ?)",
        row.session,
        version,
        kind,
        position,
        now);
    return version;
  }

  /**
   * Removes a session with everything but its leases. The row stays without content, so that its
   * numbers are not used again.
   */
  static SessionRow delete(Db db, SessionRow row, long now) throws SQLException {
    for (String table : BELONGINGS) {
      // Items first: indexing locks them before it writes into the index.
      db.update("DELETE FROM {s}." + table + " WHERE session = ?", row.session);
    }
    change(db, row, ChangeEvents.CLEARED, 0, now);
    row.alive = false;
    row.items = 0;
    row.bytes = 0;
    row.created = 0;
    row.updated = now;
    row.title = "";
    row.metadata = null;
    row.tags = Set.of();
    row.archived = false;
    row.pinned = false;
    row.ttl = null;
    row.parent = null;
    save(db, row);
    return row;
  }

  /**
   * Removes locked rows of sessions that do not exist. New sessions continue from the highest
   * number removed.
   */
  static int forget(Db db, UUID[] sessions) throws SQLException {
    db.update("DELETE FROM {s}.changes WHERE session = ANY (?)", (Object) sessions);
    db.update(
        "UPDATE {s}.meta SET value = greatest(value, (SELECT max(version) FROM {s}.sessions"
            + " WHERE session = ANY (?))) WHERE name = 'floor'",
        (Object) sessions);
    return db.update("DELETE FROM {s}.sessions WHERE session = ANY (?)", (Object) sessions);
  }

  static SessionInfo fork(Db db, Fork fork, HistoryReader reader, long now) throws SQLException {
    SessionRow original = lockForkable(db, fork.source(), fork.target(), now);
    SessionRow copy = wakeFork(db, fork.target(), now);
    long start = ++copy.version;
    if (fork.transform().isPresent()) {
      transform(db, copy, original, fork, fork.transform().get(), reader);
    } else {
      copy(db, copy, original, fork.upTo());
    }
    copy.title = original.title;
    copy.ttl = original.ttl;
    copy.parent = new SessionInfo.Parent(original.key, fork.upTo());
    SearchIndex.add(db, copy.session, start + 1, copy.version);
    save(db, copy);
    return copy.info();
  }

  private static void copy(Db db, SessionRow copy, SessionRow original, long upTo)
      throws SQLException {
    copy.items =
        db.update(
            "INSERT INTO {s}.items (session, position, data, crc, added, notes, item_key)"
                + " SELECT ?, ? + row_number() OVER (ORDER BY position), data, crc, added, notes,"
                + " item_key FROM {s}.items WHERE session = ? AND position <= ?",
            copy.session,
            copy.version,
            original.session,
            upTo);
    copy.version += copy.items;
    copy.bytes =
        db.number(
            0, "SELECT sum(octet_length(data)) FROM {s}.items WHERE session = ?", copy.session);
    copy.metadata = original.metadata;
    copy.tags = original.tags;
  }

  /** Copies what {@code transform} makes of each entry at its new position. */
  private static void transform(
      Db db,
      SessionRow copy,
      SessionRow original,
      Fork fork,
      Fork.Transform transform,
      HistoryReader reader)
      throws SQLException {
    ItemRows items = new ItemRows();
    for (Entry entry : reader.upTo(db, fork.source(), fork.upTo())) {
      long position = ++copy.version;
      List<Draft> draft = List.of(transform.entry(entry, position));
      long[] added = {entry.addedAt().toEpochMilli()};
      copy.bytes += items.add(copy.session, position, draft, added);
      copy.items++;
    }
    db.update(ItemRows.INSERT, items.columns().toArray());
    SessionUpdate described = transform.describe(original.info());
    Map<String, Object> metadata = described.metadata().orElse(Map.of());
    copy.metadata = metadata.isEmpty() ? null : Json.write(metadata);
    copy.tags = described.tags().orElse(Set.of());
  }

  private static SessionRow lockForkable(Db db, SessionKey source, SessionKey target, long now)
      throws SQLException {
    if (source.equals(target)) {
      throw Conflicts.targetExists(target);
    }
    SessionRow original = lock(db, Set.of(source, target)).get(Keys.of(source));
    if (original == null || !original.alive || original.expired(now)) {
      throw Conflicts.noSource(source);
    }
    return original;
  }

  private static SessionRow wakeFork(Db db, SessionKey target, long now) throws SQLException {
    SessionRow copy = lockOrMake(db, target, now);
    if (copy.alive) {
      throw Conflicts.targetExists(target);
    }
    copy.wake(now);
    return copy;
  }

  static SessionInfo update(Db db, SessionKey key, SessionUpdate update, long now)
      throws SQLException {
    SessionRow row = lockOrMake(db, key, now);
    if (update.expectedVersion().isPresent()) {
      checkVersion(row, update.expectedVersion().getAsLong());
    }
    if (update.times().isEmpty()) {
      row.wake(now);
    } else {
      long created = Math.min(now, update.times().get().createdAt().toEpochMilli());
      row.wake(created);
      row.created = Math.min(row.created, created);
      row.touch(Math.min(now, update.times().get().updatedAt().toEpochMilli()));
    }
    change(db, row, ChangeEvents.DESCRIBED, 0, now);
    row.title = update.title().orElse(row.title);
    if (update.metadata().isPresent()) {
      Map<String, Object> metadata = update.metadata().get();
      row.metadata = metadata.isEmpty() ? null : Json.write(metadata);
    }
    row.tags = update.tags().orElse(row.tags);
    row.archived = update.archived().orElse(row.archived);
    row.pinned = update.pinned().orElse(row.pinned);
    row.parent = update.parent().orElse(row.parent);
    if (update.timeToLive().isPresent()) {
      long life = TimeToLive.millis(update.timeToLive().get());
      row.ttl = life == 0 ? null : (Long) life;
    }
    if (update.times().isPresent() && row.expired(now)) {
      row.touch(now);
    }
    save(db, row);
    return row.info();
  }

  static void checkVersion(SessionRow row, long expected) {
    if (row.visibleVersion() != expected) {
      throw Conflicts.version(row.key, expected, row.visibleVersion());
    }
  }
}
