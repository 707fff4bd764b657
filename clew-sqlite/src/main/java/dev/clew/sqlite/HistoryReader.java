package dev.clew.sqlite;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.kit.DamageReports;
import dev.clew.kit.PageFilling;
import dev.clew.kit.sql.Sql;
import dev.clew.spi.PositionedItems;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Reads histories. Stateless, except that it reports damage. */
record HistoryReader(DamageReports damage) {
  /* Items and session in one statement, so that they are of the same moment. */
  private static final String ROWS =
      "SELECT m.message_data, coalesce(m.clew_crc, -1), s.clew_version, {expires}, m.id FROM"
          + " {sessions} s JOIN {messages} m ON m.session_id = s.session_id WHERE s.session_id ="
          + " ? AND {live}";
  /* A sum, because SQLite prepares a statement again whenever a bare LIMIT ? is bound. */
  private static final String NEWEST = ROWS + " ORDER BY m.id DESC LIMIT ? + 0";
  private static final String EVERYTHING = ROWS + " ORDER BY m.id";

  /**
   * Items and their session.
   *
   * @param version the version of the session
   * @param expires when the session expires
   * @param complete whether there are no older items
   */
  record Tail(long version, long expires, PositionedItems placed, boolean complete) {
    List<Item> items() {
      return placed.items();
    }
  }

  /** The session's version, or 0 if it does not exist or has expired. */
  static long version(Db db, String id, long now) throws SQLException {
    return db.number(
        0, "SELECT clew_version FROM {sessions} WHERE session_id = ? AND {live}", id, now);
  }

  /** The newest items, read in one statement with the version. */
  Tail tail(Db db, String id, int limit, long now) throws SQLException {
    boolean everything = limit == Integer.MAX_VALUE;
    PreparedStatement statement = db.prepare(everything ? EVERYTHING : NEWEST);
    statement.setString(1, id);
    statement.setLong(2, now);
    if (!everything) {
      statement.setInt(3, limit);
    }
    List<Item> items = new ArrayList<>(everything ? 64 : Math.min(limit, 1024));
    long[] positions = new long[everything ? 64 : Math.min(limit, 1024)];
    long version = 0;
    long expires = Long.MAX_VALUE;
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        if (version == 0) {
          version = rows.getLong(3);
          Long end = Sql.nullableLong(rows, 4);
          expires = end == null ? Long.MAX_VALUE : end;
        }
        Item item = Rows.item(rows.getBytes(1), rows.getLong(2));
        if (item == null) {
          return tailAroundDamage(db, id, limit, version);
        }
        if (items.size() == positions.length) {
          positions = Arrays.copyOf(positions, positions.length * 2);
        }
        positions[items.size()] = rows.getLong(5);
        items.add(item);
      }
    }
    boolean complete = everything || items.size() < limit;
    positions = Arrays.copyOf(positions, items.size());
    if (!everything) {
      Collections.reverse(items);
      reverse(positions);
    }
    return new Tail(
        version,
        expires,
        new PositionedItems(Collections.unmodifiableList(items), positions),
        complete);
  }

  private static void reverse(long[] positions) {
    for (int i = 0, j = positions.length - 1; i < j; i++, j--) {
      long kept = positions[i];
      positions[i] = positions[j];
      positions[j] = kept;
    }
  }

  private Tail tailAroundDamage(Db db, String id, int limit, long version) throws SQLException {
    EntryPage page = readLive(db, id, Range.latest(limit));
    return new Tail(version, 0, PositionedItems.of(page), !page.hasMore());
  }

  /** The newest readable entries, oldest first, of a session that is known to exist. */
  static List<Entry> newest(Db db, String id, int limit) throws SQLException {
    List<Entry> found = new ArrayList<>();
    db.each(
        () -> found.size() == limit,
        "SELECT {entry} FROM {messages} WHERE session_id = ? ORDER BY id DESC",
        row -> Rows.entry(row).ifPresent(found::add),
        id);
    Collections.reverse(found);
    return found;
  }

  /**
   * Every entry up to a position, oldest first.
   *
   * @throws ClewException.CorruptRecord if one of them is damaged
   */
  static List<Entry> upTo(Db db, String id, long position) throws SQLException {
    return db.all(
        "SELECT {entry} FROM {messages} WHERE session_id = ? AND id <= ? ORDER BY id",
        row -> {
          long at = row.getLong(1);
          return Rows.entry(row)
              .orElseThrow(
                  () ->
                      new ClewException.CorruptRecord(
                          "the item at position " + at + " is damaged; see 'clew doctor'"));
        },
        id,
        position);
  }

  static Optional<Entry> at(Db db, long position) throws SQLException {
    return db.find("SELECT {entry} FROM {messages} WHERE id = ?", Rows::entry, position);
  }

  EntryPage read(Db db, String id, Range range, long now) throws SQLException {
    return db.snapshot(
        snapshot -> {
          if (SessionRow.live(snapshot, id, now).isEmpty()) {
            return EntryPage.EMPTY;
          }
          return range.includeCompacted()
              ? readWithCompacted(snapshot, id, range)
              : readLive(snapshot, id, range);
        });
  }

  private EntryPage readLive(Db db, String id, Range range) throws SQLException {
    PageFilling page = page(id, range);
    addLive(db, id, range, page, range.cursor().orElse(page.start()));
    return page.finish();
  }

  private PageFilling page(String id, Range range) {
    return new PageFilling(range, position -> damage.found(id, position));
  }

  /*
   * The whole conversation as it was: what the first replacement took away, then what the second
   * took, and so on, then what is there now. So the order is by generation, live rows last.
   */
  private EntryPage readWithCompacted(Db db, String id, Range range) throws SQLException {
    PageFilling page = page(id, range);
    long position = range.cursor().orElse(page.start());
    Optional<Long> generation =
        db.first(
            "SELECT generation FROM {our}archive WHERE position = ?",
            row -> row.getLong(1),
            position);
    if (range.backward()) {
      if (generation.isEmpty()) {
        addLive(db, id, range, page, position);
      }
      addArchived(db, id, range, page, generation.orElse(Long.MAX_VALUE), position);
    } else {
      boolean live = range.cursor().isPresent() && generation.isEmpty();
      if (!live) {
        addArchived(db, id, range, page, generation.orElse(Long.MIN_VALUE), position);
      }
      addLive(db, id, range, page, live ? position : page.start());
    }
    return page.finish();
  }

  private static void addLive(Db db, String id, Range range, PageFilling page, long from)
      throws SQLException {
    String order = range.backward() ? "< ? ORDER BY id DESC" : "> ? ORDER BY id";
    db.each(
        page::isFull,
        "SELECT {entry} FROM {messages} WHERE session_id = ? AND id " + order,
        row -> page.add(row.getLong(1), Rows.entry(row)),
        id,
        from);
  }

  private static void addArchived(
      Db db, String id, Range range, PageFilling page, long generation, long position)
      throws SQLException {
    String order =
        range.backward()
            ? "< (?, ?) ORDER BY generation DESC, position DESC"
            : "> (?, ?) ORDER BY generation, position";
    db.each(
        page::isFull,
        "SELECT {archived} FROM {our}archive WHERE session_id = ? AND (generation, position) "
            + order,
        row -> page.add(row.getLong(1), Rows.archived(row)),
        id,
        generation,
        position);
  }

  Optional<Entry> find(Db db, String id, String itemId, long now) throws SQLException {
    if (SessionRow.live(db, id, now).isEmpty()) {
      return Optional.empty();
    }
    Optional<Entry> ours =
        db.first(
                "SELECT {entry} FROM {messages} WHERE session_id = ? AND clew_item_id = ? ORDER"
                    + " BY id DESC LIMIT 1",
                Rows::entry,
                id,
                itemId)
            .flatMap(entry -> entry);
    return ours.isPresent() ? ours : findForeign(db, id, itemId);
  }

  /** Rows of other programs are not indexed by item id, so they are scanned. */
  private static Optional<Entry> findForeign(Db db, String id, String itemId) throws SQLException {
    return db.find(
        "SELECT {entry} FROM {messages} WHERE session_id = ? AND clew_crc IS NULL ORDER BY id"
            + " DESC",
        row ->
            Rows.entry(row).filter(entry -> entry.item().id().filter(itemId::equals).isPresent()),
        id);
  }
}
