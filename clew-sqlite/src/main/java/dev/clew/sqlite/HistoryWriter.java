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
import org.jspecify.annotations.Nullable;

/** One change of a history, inside a transaction of the {@link Committer}. Not thread-safe. */
final class HistoryWriter {
  private final Tx tx;
  private final SessionKey key;
  private final String id;
  private final Commit commit;
  private final Prepared prepared;
  private final boolean sessionsExpire;
  private SessionHead before;

  /**
   * @param heads guesses of what the session is like
   * @param sessionsExpire whether sessions without a time to live of their own expire
   */
  HistoryWriter(Tx tx, SessionKey key, Prepared prepared, Heads heads, boolean sessionsExpire)
      throws SQLException {
    this.tx = tx;
    this.key = key;
    this.id = KeyText.of(key);
    this.commit = prepared.commit();
    this.prepared = prepared;
    this.sessionsExpire = sessionsExpire;
    @Nullable SessionHead guess = guess(heads);
    this.before = guess != null ? guess : SessionRows.liveForWriting(tx, id);
  }

  /** The result of a change: the receipt, and for a plain append what the caches need. */
  record Written(Receipt receipt, Optional<Appended> appended) {
    static Written of(Receipt receipt) {
      return new Written(receipt, Optional.empty());
    }
  }

  /** The session before an append and after it; its expiry is only known if it never expires. */
  record Appended(SessionHead before, SessionHead after, long first, List<Item> items) {
    boolean madeTheSession() {
      return !before.exists();
    }
  }

  Written apply() throws SQLException {
    Optional<Receipt> earlier = Operations.earlier(tx, key, id, prepared);
    if (earlier.isPresent()) {
      return Written.of(earlier.get());
    }
    checkConditions();
    if (commit.step() instanceof Append && prepared.count() == 0) {
      return Written.of(nothing());
    }
    Written written = write();
    Operations.remember(tx, id, prepared, written.receipt());
    return written;
  }

  private Written write() throws SQLException {
    if (commit.step() instanceof Append) {
      return append();
    }
    if (commit.step() instanceof ReplaceSuffix suffix) {
      return Written.of(replaceSuffix(suffix));
    }
    if (commit.step() instanceof ReplacePrefix prefix) {
      return Written.of(replacePrefix(prefix));
    }
    if (commit.step() instanceof ReplaceItem item) {
      return Written.of(replaceItem(item.position(), prepared.at(item.position()).rows().get(0)));
    }
    long position = ((RemoveItem) commit.step()).position();
    bytesAt(position);
    return Written.of(receipt(remove(tx, id, before, position)));
  }

  /** A head that need not be read, for a change that notices if it is wrong. */
  private @Nullable SessionHead guess(Heads heads) {
    boolean plain =
        commit.step() instanceof Append append
            && !append.drafts().isEmpty()
            && !commit.hasTimes()
            && commit.expectedVersion().isEmpty();
    if (!plain) {
      return null;
    }
    SessionHead ofThisBatch = tx.heads().get(id);
    return ofThisBatch != null ? ofThisBatch : heads.guess(id);
  }

  private Receipt nothing() {
    return receipt(before.version());
  }

  private static Receipt receipt(long version) {
    return new Receipt(version, OptionalLong.empty(), OptionalLong.empty(), false);
  }

  private void checkConditions() throws SQLException {
    if (commit.fence().isPresent()) {
      Commit.Fence fence = commit.fence().get();
      String query = "SELECT fence FROM {our}leases WHERE session_id = ? AND name = ?";
      long current = tx.db.number(0, query, id, fence.lease());
      if (current != fence.number()) {
        throw Conflicts.fence(key, fence, current);
      }
    }
    checkExisting();
    if (commit.expectedVersion().isPresent()) {
      SessionRows.checkVersion(key, before, commit.expectedVersion().getAsLong());
    }
    if (commit.expectedTail().isPresent()) {
      long tail = tx.db.number(0, "SELECT max(id) FROM {messages} WHERE session_id = ?", id);
      long expected = commit.expectedTail().getAsLong();
      if (tail != expected) {
        throw Conflicts.tail(
            key, expected, tail == 0 ? OptionalLong.empty() : OptionalLong.of(tail));
      }
    }
  }

  private void checkExisting() {
    if (commit.expectsExisting() && !before.exists()) {
      throw Conflicts.absent(key);
    }
  }

  private Written append() throws SQLException {
    int count = prepared.count();
    long first = tx.nextNumber();
    long last = first;
    for (int i = 1; i < count; i++) {
      last = tx.nextNumber();
    }
    Prepared placed = prepared.at(first);
    long[] times = times();
    Long life = placed.timeToLive();
    if (!SessionRows.changedIf(tx, id, before, last, count, placed.bytes(), times, life)) {
      before = SessionRows.liveForWriting(tx, id);
      checkExisting();
      times = times();
      SessionRows.changed(tx, id, before, last, count, placed.bytes(), times, life);
    }
    ItemRows.insert(tx, id, first, placed.rows(), times, null);
    tx.saved(last);
    if (commit.hasTimes()) {
      SessionRows.renew(tx, id);
    }
    SessionHead after = after(last, times, life != null);
    if (after.expires() == Long.MAX_VALUE) { // the expiry of others has to be read each time
      tx.heads().put(id, after);
    }
    return new Written(
        new Receipt(last, OptionalLong.of(first), OptionalLong.of(last), false, before.exists()),
        Optional.of(new Appended(before, after, first, placed.items())));
  }

  /** When items at the end count as added: not before the item in front of them, in any column. */
  private long[] times() throws SQLException {
    long last =
        !before.exists() || !commit.hasTimes()
            ? 0
            : tx.db.number(
                0,
                "SELECT max(coalesce(clew_added, 0), coalesce(strftime('%s', created_at), 0) * 1000)"
                    + " FROM {messages} WHERE session_id = ? ORDER BY id DESC LIMIT 1",
                id);
    return commit.times(last, SessionRows.latest(tx, before));
  }

  private SessionHead after(long version, long[] times, boolean setsTimeToLive) {
    boolean expires =
        setsTimeToLive || (before.exists() ? before.expires() != Long.MAX_VALUE : sessionsExpire);
    return new SessionHead(
        version,
        before.count() + times.length,
        before.exists() ? before.created() : times[0],
        Math.max(before.updated(), times[times.length - 1]),
        expires ? 0 : Long.MAX_VALUE);
  }

  private Receipt replaceSuffix(ReplaceSuffix step) throws SQLException {
    List<Entry> newest = HistoryReader.newest(tx.db, id, step.expected().size());
    List<Item> found = newest.stream().map(Entry::item).toList();
    if (!before.exists() || !found.equals(step.expected())) {
      throw Conflicts.suffix(key, step.expected().size());
    }
    tx.keepTriggersQuiet();
    long version = 0;
    for (Entry entry : newest) {
      version = tx.change(id, "removed", entry.position());
    }
    long removed = ItemRows.delete(tx, newest.stream().map(Entry::position).toList());
    SessionRows.changed(tx, id, before, version, -newest.size(), -removed);
    if (step.drafts().isEmpty()) {
      return receipt(version);
    }
    before = SessionHead.find(tx.db, id);
    return append().receipt();
  }

  private Receipt replacePrefix(ReplacePrefix step) throws SQLException {
    long upTo = step.upTo();
    long[] replaced =
        tx.db
            .first(
                "SELECT count(*), coalesce(sum({bytes}), 0) FROM {messages}"
                    + " WHERE session_id = ? AND id <= ?",
                row -> new long[] {row.getLong(1), row.getLong(2)},
                id,
                upTo)
            .orElseThrow();
    if (!before.exists() || replaced[0] == 0) {
      if (!step.drafts().isEmpty()) {
        throw Conflicts.noPrefix(key, upTo);
      }
      if (step.drop()) {
        dropArchive(tx, id);
      }
      return nothing();
    }
    tx.keepTriggersQuiet();
    long version = tx.change(id, "replaced", upTo);
    String createdAt =
        tx.db
            .find(
                "SELECT created_at FROM {messages} WHERE session_id = ? AND id <= ?"
                    + " ORDER BY id DESC LIMIT 1",
                row -> Optional.ofNullable(row.getString(1)),
                id,
                upTo)
            .orElse(Tx.sqlTime(before.created()));
    SearchIndex.forgetPrefix(tx, id, upTo);
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
          upTo);
    }
    tx.db.deleteInParts("{messages}", "session_id = ? AND id <= ?", id, upTo);
    int count = prepared.count();
    long first = count == 0 ? 0 : lowerPositions(tx, count);
    Prepared placed = prepared.at(first);
    long latest = SessionRows.latest(tx, before);
    long[] times = count == 0 ? new long[] {latest} : commit.times(0, latest);
    long bytes = placed.bytes() - replaced[1];
    SessionRows.changed(tx, id, before, version, count - replaced[0], bytes, times, null);
    if (commit.hasTimes()) {
      SessionRows.renew(tx, id);
    }
    if (count == 0) {
      return receipt(version);
    }
    boolean alone = replaced[0] == before.count(); // then nothing has to come after it
    String written = commit.hasTimes() && alone ? null : createdAt;
    ItemRows.insert(tx, id, first, placed.rows(), times, written);
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

  private Receipt replaceItem(long position, Prepared.Row row) throws SQLException {
    long oldBytes = bytesAt(position);
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
    SessionRows.changed(tx, id, before, version, 0, row.bytes() - oldBytes);
    OptionalLong at = OptionalLong.of(position);
    return new Receipt(version, at, at, false);
  }

  private long bytesAt(long position) throws SQLException {
    String query = "SELECT {bytes} FROM {messages} WHERE id = ? AND session_id = ?";
    long bytes = tx.db.number(-1, query, position, id);
    if (bytes < 0) {
      throw Conflicts.noItem(key, position);
    }
    return bytes;
  }

  private static long remove(Tx tx, String id, SessionHead before, long position)
      throws SQLException {
    tx.keepTriggersQuiet();
    long version = tx.change(id, "removed", position);
    long bytes = ItemRows.delete(tx, List.of(position));
    SessionRows.changed(tx, id, before, version, -1, -bytes);
    return version;
  }

  /** Removes the newest readable entry; damaged rows after it go to quarantine. */
  static Optional<Entry> removeLast(Tx tx, SessionKey key) throws SQLException {
    String id = KeyText.of(key);
    while (true) {
      SessionHead before = SessionRows.liveForWriting(tx, id);
      Optional<Long> last =
          tx.db.first(
              "SELECT id FROM {messages} WHERE session_id = ? ORDER BY id DESC LIMIT 1",
              row -> row.getLong(1),
              id);
      if (!before.exists() || last.isEmpty()) {
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
