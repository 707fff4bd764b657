package dev.clew.postgres;

import dev.clew.Commit;
import dev.clew.Commit.RemoveItem;
import dev.clew.Commit.ReplaceItem;
import dev.clew.Commit.ReplacePrefix;
import dev.clew.Commit.ReplaceSuffix;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.kit.ChangeEvents;
import dev.clew.kit.Conflicts;
import dev.clew.kit.StoredText;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** Changes histories, inside a transaction of its own. Thread-safe. */
record HistoryWriter(HistoryReader reader) {
  Receipt apply(Db db, SessionKey key, Commit commit, long now) throws SQLException {
    if (commit.step() instanceof Commit.Append) {
      return AppendBatch.run(db, key, commit, now);
    }
    Optional<SessionRow> row = SessionRows.lock(db, key, now);
    UUID session = Keys.of(key);
    if (row.isPresent() && commit.operationId().isPresent()) {
      String operation = commit.operationId().get();
      Operations.Id id = Operations.id(session, operation);
      Operations.Done earlier = Operations.find(db, List.of(id)).get(id);
      if (earlier != null) {
        return earlier.repeated(key, operation, commit.digest());
      }
    }
    checkConditions(db, key, row, commit);
    if (row.isEmpty() || !row.get().alive) {
      if (commit.step() instanceof ReplacePrefix && commit.step().drafts().isEmpty()) {
        return nothing(0);
      }
      throw Conflicts.missing(key, commit.step());
    }
    Receipt receipt = change(db, row.get(), commit, now);
    if (commit.operationId().isPresent()) {
      Operations.Rows done = new Operations.Rows();
      done.add(
          Operations.id(session, commit.operationId().get()),
          new Operations.Done(commit.digest(), receipt),
          now);
      db.update(Operations.Rows.INSERT, done.columns().toArray());
    }
    return receipt;
  }

  private static void checkConditions(
      Db db, SessionKey key, Optional<SessionRow> row, Commit commit) throws SQLException {
    UUID session = Keys.of(key);
    if (commit.fence().isPresent()) {
      Commit.Fence fence = commit.fence().get();
      Fences.Id id = Fences.id(session, fence);
      Fences.check(key, fence, Fences.hold(db, List.of(id)).getOrDefault(id, 0L));
    }
    if (commit.expectsExisting() && !row.map(found -> found.alive).orElse(false)) {
      throw Conflicts.absent(key);
    }
    if (commit.expectedVersion().isPresent()) {
      long expected = commit.expectedVersion().getAsLong();
      long version = row.map(SessionRow::visibleVersion).orElse(0L);
      if (version != expected) {
        throw Conflicts.version(key, expected, version);
      }
    }
    if (commit.expectedTail().isPresent()) {
      Long tail =
          db.first(
                  "SELECT position FROM {s}.items WHERE session = ? ORDER BY position DESC LIMIT 1",
                  found -> found.getLong(1),
                  session)
              .orElse(null);
      AppendBatch.checkTail(key, tail, commit.expectedTail().getAsLong());
    }
  }

  private static Receipt nothing(long version) {
    return new Receipt(version, OptionalLong.empty(), OptionalLong.empty(), false);
  }

  private Receipt change(Db db, SessionRow row, Commit commit, long now) throws SQLException {
    if (commit.step() instanceof ReplaceSuffix suffix) {
      return replaceSuffix(db, row, commit, suffix, now);
    }
    if (commit.step() instanceof ReplacePrefix prefix) {
      return replacePrefix(db, row, commit, prefix, now);
    }
    if (commit.step() instanceof ReplaceItem replace) {
      return replaceItem(db, row, replace, now);
    }
    if (commit.step() instanceof RemoveItem remove) {
      long version = remove(db, row, List.of(remove.position()), now);
      SessionRows.save(db, row);
      return nothing(version);
    }
    throw new IllegalStateException("an append is no change of its own");
  }

  private Receipt replaceSuffix(Db db, SessionRow row, Commit commit, ReplaceSuffix step, long now)
      throws SQLException {
    List<Entry> newest = reader.newest(db, row.key, step.expected().size());
    List<Item> found = newest.stream().map(Entry::item).toList();
    if (!found.equals(step.expected())) {
      throw Conflicts.suffix(row.key, step.expected().size());
    }
    remove(db, row, newest.stream().map(Entry::position).toList(), now);
    if (step.drafts().isEmpty()) {
      SessionRows.save(db, row);
      return nothing(row.version);
    }
    long first = row.version + 1;
    long last = row.version + step.drafts().size();
    long before = commit.hasTimes() ? newest(db, row.session) : 0;
    insert(db, row, first, commit, before, now);
    row.version = last;
    SessionRows.save(db, row);
    return new Receipt(last, OptionalLong.of(first), OptionalLong.of(last), false);
  }

  /** When the newest item was added. */
  private static long newest(Db db, UUID session) throws SQLException {
    return db.number(
        0, "SELECT added FROM {s}.items WHERE session = ? ORDER BY position DESC LIMIT 1", session);
  }

  /** Inserts the items of a commit; {@code last} is when the item before was added. */
  private static void insert(Db db, SessionRow row, long first, Commit commit, long last, long now)
      throws SQLException {
    ItemRows items = new ItemRows();
    long[] times = row.touch(commit, last, now);
    row.bytes += items.add(row.session, first, commit.placed(first), times);
    row.items += times.length;
    db.update(ItemRows.INSERT, items.columns().toArray());
    SearchIndex.add(db, row.session, first, first + times.length - 1);
  }

  /** Removes entries, each as a change of its own; returns the last version. */
  private static long remove(Db db, SessionRow row, List<Long> positions, long now)
      throws SQLException {
    Long[] places = positions.toArray(Long[]::new);
    List<Long> sizes =
        db.all(
            "DELETE FROM {s}.items WHERE session = ? AND position = ANY (?)"
                + " RETURNING octet_length(data)",
            deleted -> deleted.getLong(1),
            row.session,
            places);
    if (sizes.size() < positions.size()) {
      throw Conflicts.noItem(row.key, positions.get(0));
    }
    SearchIndex.remove(db, row.session, places);
    row.touch(now);
    row.items -= sizes.size();
    row.bytes -= sizes.stream().mapToLong(size -> size).sum();
    for (long position : positions) {
      SessionRows.change(db, row, ChangeEvents.REMOVED, position, now);
    }
    return row.version;
  }

  private static Receipt replacePrefix(
      Db db, SessionRow row, Commit commit, ReplacePrefix step, long now) throws SQLException {
    long[] replaced =
        db.first(
                "SELECT count(*), coalesce(sum(octet_length(data)), 0) FROM {s}.items"
                    + " WHERE session = ? AND position <= ?",
                found -> new long[] {found.getLong(1), found.getLong(2)},
                row.session,
                step.upTo())
            .orElseThrow();
    if (replaced[0] == 0) {
      if (step.drafts().isEmpty()) {
        if (step.drop()) {
          dropUpTo(db, row, step.upTo());
        }
        return nothing(row.version);
      }
      throw Conflicts.noPrefix(row.key, step.upTo());
    }
    long version = SessionRows.change(db, row, ChangeEvents.REPLACED, step.upTo(), now);
    if (step.drop()) {
      dropUpTo(db, row, step.upTo());
    } else {
      db.update(
          "WITH moved AS (DELETE FROM {s}.items WHERE session = ? AND position <= ? RETURNING *)"
              + " INSERT INTO {s}.archive"
              + " (session, position, data, crc, added, notes, item_key, generation)"
              + " SELECT session, position, data, crc, added, notes, item_key, ?::bigint"
              + " FROM moved",
          row.session,
          step.upTo(),
          version);
    }
    row.items -= replaced[0];
    row.bytes -= replaced[1];
    int count = step.drafts().size();
    if (count == 0) {
      row.touch(now);
      SessionRows.save(db, row);
      return nothing(version);
    }
    // Below all positions that were ever used.
    row.low -= count;
    long first = row.low;
    insert(db, row, first, commit, 0, now);
    SessionRows.save(db, row);
    return new Receipt(version, OptionalLong.of(first), OptionalLong.of(first + count - 1), false);
  }

  /** Removes the items up to a position, and the archive. */
  private static void dropUpTo(Db db, SessionRow row, long upTo) throws SQLException {
    Long[] dropped =
        db.all(
                "WITH items AS (DELETE FROM {s}.items WHERE session = ? AND position <= ?"
                    + " RETURNING position), archive AS (DELETE FROM {s}.archive"
                    + " WHERE session = ? RETURNING position)"
                    + " SELECT position FROM items UNION ALL SELECT position FROM archive",
                found -> found.getLong(1),
                row.session,
                upTo,
                row.session)
            .toArray(Long[]::new);
    SearchIndex.remove(db, row.session, dropped);
  }

  private static Receipt replaceItem(Db db, SessionRow row, ReplaceItem step, long now)
      throws SQLException {
    byte[] text = ItemRows.text(step.draft());
    long before =
        db.number(
            -1,
            "SELECT octet_length(data) FROM {s}.items WHERE session = ? AND position = ?",
            row.session,
            step.position());
    if (before < 0) {
      throw Conflicts.noItem(row.key, step.position());
    }
    db.update(
        "UPDATE {s}.items SET data = ?, crc = ?, notes = ?, item_key = ?"
            + " WHERE session = ? AND position = ?",
        step.draft().item().json(),
        StoredText.crc(text),
        ItemRows.notes(step.draft()),
        ItemRows.itemKey(step.draft()),
        row.session,
        step.position());
    SearchIndex.remove(db, row.session, new Long[] {step.position()});
    SearchIndex.add(db, row.session, step.position(), step.position());
    row.touch(now);
    row.bytes += text.length - before;
    long version = SessionRows.change(db, row, ChangeEvents.EDITED, step.position(), now);
    SessionRows.save(db, row);
    OptionalLong position = OptionalLong.of(step.position());
    return new Receipt(version, position, position, false);
  }

  /** Removes the newest readable entry; damaged rows after it go to quarantine. */
  Optional<Entry> removeLast(Db db, SessionKey key, long now) throws SQLException {
    Optional<SessionRow> row = SessionRows.lock(db, key, now).filter(found -> found.alive);
    if (row.isEmpty()) {
      return Optional.empty();
    }
    long before = row.get().version;
    Optional<Last> last = last(db, row.get().session);
    while (last.isPresent()) {
      if (last.get().entry().isEmpty()) {
        quarantine(db, row.get(), last.get().position(), now);
      }
      remove(db, row.get(), List.of(last.get().position()), now);
      if (last.get().entry().isPresent()) {
        break;
      }
      last = last(db, row.get().session);
    }
    if (row.get().version > before) {
      SessionRows.save(db, row.get());
    }
    return last.flatMap(Last::entry);
  }

  /** The newest row, with its entry unless it is damaged. */
  private record Last(long position, Optional<Entry> entry) {}

  private static Optional<Last> last(Db db, UUID session) throws SQLException {
    return db.first(
        "SELECT {entry} FROM {s}.items i WHERE i.session = ? ORDER BY i.position DESC LIMIT 1",
        row -> new Last(row.getLong(1), Rows.live(row)),
        session);
  }

  private static void quarantine(Db db, SessionRow row, long position, long now)
      throws SQLException {
    db.update(
        "INSERT INTO {s}.quarantine (session, position, owner, id, data, found_at)"
            + " SELECT session, position, ?, ?, data, ? FROM {s}.items"
            + " WHERE session = ? AND position = ?",
        row.key.owner(),
        row.key.id(),
        now,
        row.session,
        position);
  }

  /** Removes a session; returns whether there was one. */
  static boolean delete(Db db, SessionKey key, long now) throws SQLException {
    SessionRow row = SessionRows.lock(db, List.of(key)).get(Keys.of(key));
    if (row == null || !row.alive) {
      return false;
    }
    boolean live = !row.expired(now);
    SessionRows.delete(db, row, now);
    return live;
  }
}
