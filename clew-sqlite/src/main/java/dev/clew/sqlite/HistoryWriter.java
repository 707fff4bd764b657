package dev.clew.sqlite;

import dev.clew.Commit;
import dev.clew.Commit.Append;
import dev.clew.Commit.RemoveItem;
import dev.clew.Commit.ReplaceItem;
import dev.clew.Commit.ReplacePrefix;
import dev.clew.Commit.ReplaceSuffix;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.kit.Conflicts;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Changes histories, inside a transaction of the {@link Committer}. Immutable. */
record HistoryWriter(SessionRows sessions, Heads heads, boolean sessionsEnd) {
  /** What a write did: the receipt, and for a plain append what is worth to be remembered. */
  record Written(Receipt receipt, Optional<Appended> appended) {}

  /**
   * The session before an append and after it. When it ends is only known for sessions that never
   * do; for others it says at once.
   */
  record Appended(
      long versionBefore, long countBefore, SessionHead after, long first, List<Item> items) {
    boolean madeTheSession() {
      return versionBefore == 0;
    }
  }

  Written apply(Tx tx, SessionKey key, Prepared prepared) throws SQLException {
    String id = KeyText.of(key);
    Commit transaction = prepared.transaction();
    Optional<SessionHead> guess = guess(tx, id, transaction);
    Optional<SessionHead> before = guess.isPresent() ? guess : sessions.liveForWriting(tx, id);
    Optional<Receipt> earlier = Operations.earlier(tx, key, id, prepared);
    if (earlier.isPresent()) {
      return new Written(earlier.get(), Optional.empty());
    }
    checkFence(tx, key, id, transaction);
    checkExpectations(tx, key, id, before, transaction);
    checkExisting(key, before, transaction);
    if (transaction.step() instanceof Append) {
      if (prepared.count() == 0) {
        return new Written(nothing(before), Optional.empty());
      }
      Written written = append(tx, key, id, before, prepared);
      Operations.remember(tx, id, prepared, written.receipt());
      return written;
    }
    Receipt receipt;
    if (transaction.step() instanceof ReplaceSuffix suffix) {
      receipt = replaceSuffix(tx, key, id, before, suffix, prepared);
    } else if (transaction.step() instanceof ReplacePrefix prefix) {
      receipt = replacePrefix(tx, key, id, before, prefix, prepared);
    } else if (transaction.step() instanceof ReplaceItem replace) {
      Prepared.Row row = prepared.at(replace.position()).rows().get(0);
      receipt = replaceItem(tx, key, id, before, replace.position(), row);
    } else {
      receipt = removeItem(tx, key, id, before, (RemoveItem) transaction.step());
    }
    Operations.remember(tx, id, prepared, receipt);
    return new Written(receipt, Optional.empty());
  }

  /** A head that need not be read, for a write that notices if it is another by now. */
  private Optional<SessionHead> guess(Tx tx, String id, Commit transaction) {
    boolean plain =
        transaction.step() instanceof Append append
            && !append.drafts().isEmpty()
            && !transaction.hasTimes()
            && transaction.expectedVersion().isEmpty();
    if (!plain) {
      return Optional.empty();
    }
    SessionHead ofThisBatch = tx.heads().get(id);
    return Optional.ofNullable(ofThisBatch != null ? ofThisBatch : heads.guess(id));
  }

  private static Receipt nothing(Optional<SessionHead> before) {
    long version = before.map(SessionHead::version).orElse(0L);
    return new Receipt(version, OptionalLong.empty(), OptionalLong.empty(), false);
  }

  private static void checkFence(Tx tx, SessionKey key, String id, Commit transaction)
      throws SQLException {
    if (transaction.fence().isEmpty()) {
      return;
    }
    Commit.Fence fence = transaction.fence().get();
    long current =
        tx.db.number(
            0,
            "SELECT fence FROM {our}leases WHERE session_id = ? AND name = ?",
            id,
            fence.lease());
    if (current != fence.number()) {
      throw Conflicts.fence(key, fence, current);
    }
  }

  private static void checkExpectations(
      Tx tx, SessionKey key, String id, Optional<SessionHead> before, Commit transaction)
      throws SQLException {
    if (transaction.expectedVersion().isPresent()) {
      SessionRows.checkVersion(key, before, transaction.expectedVersion().getAsLong());
    }
    if (transaction.expectedTail().isPresent()) {
      long tail = tx.db.number(0, "SELECT max(id) FROM {messages} WHERE session_id = ?", id);
      long expected = transaction.expectedTail().getAsLong();
      if (tail != expected) {
        throw Conflicts.tail(
            key, expected, tail == 0 ? OptionalLong.empty() : OptionalLong.of(tail));
      }
    }
  }

  private static void checkExisting(
      SessionKey key, Optional<SessionHead> before, Commit transaction) {
    if (transaction.expectsExisting() && before.isEmpty()) {
      throw Conflicts.absent(key);
    }
  }

  private Written append(
      Tx tx, SessionKey key, String id, Optional<SessionHead> guess, Prepared unplaced)
      throws SQLException {
    int count = unplaced.count();
    long first = tx.nextNumber();
    long last = first;
    for (int i = 1; i < count; i++) {
      last = tx.nextNumber();
    }
    Prepared prepared = unplaced.at(first);
    Optional<SessionHead> before = guess;
    Commit transaction = unplaced.transaction();
    long[] times = times(tx, id, before, transaction);
    Long life = prepared.timeToLive();
    if (!sessions.changedIf(tx, id, before, last, count, prepared.bytes(), times, life)) {
      before = sessions.liveForWriting(tx, id);
      checkExisting(key, before, transaction);
      times = times(tx, id, before, transaction);
      sessions.changed(tx, id, before, last, count, prepared.bytes(), times, life);
    }
    ItemRows.insert(tx, id, first, prepared.rows(), times, null);
    tx.saved(last);
    if (transaction.hasTimes()) {
      sessions.renew(tx, id);
    }
    SessionHead after = after(before, last, times, life != null);
    if (after.expires() == Long.MAX_VALUE) { // the end of others has to be looked at each time
      tx.heads().put(id, after);
    }
    return new Written(
        new Receipt(last, OptionalLong.of(first), OptionalLong.of(last), false, before.isPresent()),
        Optional.of(
            new Appended(
                before.map(SessionHead::version).orElse(0L),
                before.map(SessionHead::count).orElse(0L),
                after,
                first,
                prepared.items())));
  }

  /**
   * When items at the end count as added. Not before the item in front of them, neither by our time
   * nor by that which other programs order by.
   */
  private static long[] times(Tx tx, String id, Optional<SessionHead> before, Commit transaction)
      throws SQLException {
    long last =
        before.isEmpty() || !transaction.hasTimes()
            ? 0
            : tx.db.number(
                0,
                "SELECT max(coalesce(clew_added, 0), coalesce(strftime('%s', created_at), 0) * 1000)"
                    + " FROM {messages} WHERE session_id = ? ORDER BY id DESC LIMIT 1",
                id);
    return transaction.times(last, SessionRows.latest(tx, before));
  }

  private SessionHead after(
      Optional<SessionHead> before, long version, long[] times, boolean setsTimeToLive) {
    boolean ends =
        setsTimeToLive || before.map(head -> head.expires() != Long.MAX_VALUE).orElse(sessionsEnd);
    return new SessionHead(
        version,
        before.map(SessionHead::count).orElse(0L) + times.length,
        before.map(SessionHead::created).orElse(times[0]),
        Math.max(before.map(SessionHead::updated).orElse(0L), times[times.length - 1]),
        ends ? 0 : Long.MAX_VALUE);
  }

  private Receipt replaceSuffix(
      Tx tx,
      SessionKey key,
      String id,
      Optional<SessionHead> before,
      ReplaceSuffix step,
      Prepared prepared)
      throws SQLException {
    List<Entry> newest = HistoryReader.newest(tx.db, id, step.expected().size());
    List<Item> found = newest.stream().map(Entry::item).toList();
    if (before.isEmpty() || !found.equals(step.expected())) {
      throw Conflicts.suffix(key, step.expected().size());
    }
    tx.keepTriggersQuiet();
    long version = 0;
    for (Entry entry : newest) {
      version = tx.change(id, "removed", entry.position());
    }
    long removed = ItemRows.delete(tx, newest.stream().map(Entry::position).toList());
    sessions.changed(tx, id, before, version, -newest.size(), -removed);
    if (step.drafts().isEmpty()) {
      return new Receipt(version, OptionalLong.empty(), OptionalLong.empty(), false);
    }
    return append(tx, key, id, SessionHead.find(tx.db, id), prepared).receipt();
  }

  private Receipt replacePrefix(
      Tx tx,
      SessionKey key,
      String id,
      Optional<SessionHead> before,
      ReplacePrefix step,
      Prepared unplaced)
      throws SQLException {
    long[] replaced =
        tx.db
            .first(
                "SELECT count(*), coalesce(sum("
                    + Rows.BYTES
                    + "), 0) FROM {messages} WHERE session_id = ? AND id <= ?",
                row -> new long[] {row.getLong(1), row.getLong(2)},
                id,
                step.upTo())
            .orElseThrow();
    if (before.isEmpty() || replaced[0] == 0) {
      if (step.drafts().isEmpty()) {
        if (step.drop()) {
          dropArchive(tx, id);
        }
        return nothing(before);
      }
      throw Conflicts.noPrefix(key, step.upTo());
    }
    tx.keepTriggersQuiet();
    long version = tx.change(id, "replaced", step.upTo());
    String createdAt =
        tx.db
            .first(
                "SELECT created_at FROM {messages} WHERE session_id = ? AND id <= ?"
                    + " ORDER BY id DESC LIMIT 1",
                row -> Optional.ofNullable(row.getString(1)),
                id,
                step.upTo())
            .flatMap(time -> time)
            .orElse(Tx.sqlTime(before.get().created()));
    SearchIndex.forgetPrefix(tx, id, step.upTo());
    if (step.drop()) {
      dropArchive(tx, id);
    } else {
      tx.db.update(
          "INSERT INTO {our}archive (position, session_id, generation, data, created_at, crc,"
              + " added, notes, item_id) SELECT id, session_id, ?, message_data, created_at,"
              + " clew_crc, clew_added, clew_notes, clew_item_id FROM {messages}"
              + " WHERE session_id = ? AND id <= ?",
          version,
          id,
          step.upTo());
    }
    tx.db.deleteInParts("{messages}", "session_id = ? AND id <= ?", id, step.upTo());
    int count = unplaced.count();
    long first = count == 0 ? 0 : lowerPositions(tx, count);
    Prepared prepared = unplaced.at(first);
    long latest = SessionRows.latest(tx, before);
    boolean timed = unplaced.transaction().hasTimes();
    long[] times = count == 0 ? new long[] {latest} : unplaced.transaction().times(0, latest);
    long bytes = prepared.bytes() - replaced[1];
    sessions.changed(tx, id, before, version, count - replaced[0], bytes, times, null);
    if (timed) {
      sessions.renew(tx, id);
    }
    if (count == 0) {
      return new Receipt(version, OptionalLong.empty(), OptionalLong.empty(), false);
    }
    boolean alone = replaced[0] == before.get().count(); // then nothing has to come after it
    ItemRows.insert(tx, id, first, prepared.rows(), times, timed && alone ? null : createdAt);
    SearchIndex.forgetPrefix(tx, id, first + count - 1);
    return new Receipt(version, OptionalLong.of(first), OptionalLong.of(first + count - 1), false);
  }

  private static void dropArchive(Tx tx, String id) throws SQLException {
    tx.db.update(
        "INSERT OR IGNORE INTO {our}unindexed (position)"
            + " SELECT position FROM {our}archive WHERE session_id = ?",
        id);
    tx.db.deleteInParts("{our}archive", "session_id = ?", id);
  }

  /** The first of {@code count} positions below all that were ever used. */
  private static long lowerPositions(Tx tx, int count) throws SQLException {
    long low = tx.db.number(0, "SELECT value FROM {our}meta WHERE name = 'low_position'") - count;
    tx.db.update("UPDATE {our}meta SET value = ? WHERE name = 'low_position'", low);
    return low;
  }

  private Receipt replaceItem(
      Tx tx,
      SessionKey key,
      String id,
      Optional<SessionHead> before,
      long position,
      Prepared.Row row)
      throws SQLException {
    long oldBytes = bytesAt(tx, key, id, position);
    tx.keepTriggersQuiet();
    tx.db.update(
        "UPDATE {messages} SET message_data = ?, clew_crc = ?, clew_notes = ?, clew_item_id = ?"
            + " WHERE id = ?",
        row.json(),
        row.crc(),
        row.notes(),
        row.itemId(),
        position);
    SearchIndex.forget(tx, position);
    long version = tx.change(id, "edited", position);
    sessions.changed(tx, id, before, version, 0, row.bytes() - oldBytes);
    OptionalLong place = OptionalLong.of(position);
    return new Receipt(version, place, place, false);
  }

  private Receipt removeItem(
      Tx tx, SessionKey key, String id, Optional<SessionHead> before, RemoveItem step)
      throws SQLException {
    bytesAt(tx, key, id, step.position());
    return new Receipt(
        remove(tx, id, before, step.position()), OptionalLong.empty(), OptionalLong.empty(), false);
  }

  private static long bytesAt(Tx tx, SessionKey key, String id, long position) throws SQLException {
    long bytes =
        tx.db.number(
            -1,
            "SELECT " + Rows.BYTES + " FROM {messages} WHERE id = ? AND session_id = ?",
            position,
            id);
    if (bytes < 0) {
      throw Conflicts.noItem(key, position);
    }
    return bytes;
  }

  private long remove(Tx tx, String id, Optional<SessionHead> before, long position)
      throws SQLException {
    tx.keepTriggersQuiet();
    long version = tx.change(id, "removed", position);
    long bytes = ItemRows.delete(tx, List.of(position));
    sessions.changed(tx, id, before, version, -1, -bytes);
    return version;
  }

  /** Removes the newest readable entry; damaged rows behind it go to quarantine. */
  Optional<Entry> removeLast(Tx tx, SessionKey key) throws SQLException {
    String id = KeyText.of(key);
    while (true) {
      Optional<SessionHead> before = sessions.liveForWriting(tx, id);
      Optional<Long> last =
          tx.db.first(
              "SELECT id FROM {messages} WHERE session_id = ? ORDER BY id DESC LIMIT 1",
              row -> row.getLong(1),
              id);
      if (before.isEmpty() || last.isEmpty()) {
        return Optional.empty();
      }
      Optional<Entry> entry = HistoryReader.at(tx.db, last.get());
      if (entry.isEmpty()) {
        tx.db.update(
            "INSERT INTO {our}quarantine (position, session_id, data, found_at)"
                + " SELECT id, session_id, CAST(message_data AS BLOB), ? FROM {messages}"
                + " WHERE id = ?",
            tx.now,
            last.get());
      }
      remove(tx, id, before, last.get());
      if (entry.isPresent()) {
        return entry;
      }
    }
  }
}
