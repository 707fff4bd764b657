package dev.clew.postgres;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.kit.DamageReports;
import dev.clew.kit.PageFilling;
import dev.clew.kit.sql.Sql;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads histories. Thread-safe. */
record HistoryReader(Reads connections, DamageReports damage) {
  /* Items and session in one statement, so that they are of the same moment. */
  private static final String OF_LIVE_SESSION =
      " FROM {s}.sessions s JOIN {s}.items i ON i.session = s.session WHERE s.session = ? AND"
          + " {live}";

  private static final int CHUNK = 1000;

  /** The newest items, oldest first. */
  List<Item> items(SessionKey key, int limit, long now) {
    Optional<List<Item>> items = connections.read(db -> undamaged(db, key, limit, now));
    return items.isPresent() ? items.get() : read(key, Range.latest(limit), now).items();
  }

  /** The common case in one statement; empty if a row is damaged. */
  private static Optional<List<Item>> undamaged(Db db, SessionKey key, int limit, long now)
      throws SQLException {
    boolean everything = limit == Integer.MAX_VALUE;
    List<Item> items = new ArrayList<>(everything ? 64 : Math.min(limit, CHUNK));
    try (PreparedStatement statement =
            everything
                ? db.prepare(
                    "SELECT i.position, i.data, i.crc" + OF_LIVE_SESSION + " ORDER BY i.position",
                    Keys.of(key),
                    now)
                : db.prepare( // a bound limit would make the server plan each time
                    "SELECT i.position, i.data, i.crc"
                        + OF_LIVE_SESSION
                        + " ORDER BY i.position DESC LIMIT "
                        + limit,
                    Keys.of(key),
                    now);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        Item item = Rows.item(rows);
        if (item == null) {
          return Optional.empty();
        }
        items.add(item);
      }
    }
    if (!everything) {
      Collections.reverse(items);
    }
    return Optional.of(Collections.unmodifiableList(items));
  }

  EntryPage read(SessionKey key, Range range, long now) {
    if (!range.includeCompacted()) {
      Optional<EntryPage> page = connections.read(db -> undamagedPage(db, key, range, now));
      if (page.isPresent()) {
        return page.get();
      }
    }
    return connections.snapshot(
        db -> {
          if (SessionRow.live(db, key, now).isEmpty()) {
            return EntryPage.EMPTY;
          }
          Page page = new Page(key, range);
          if (range.includeCompacted()) {
            addWithCompacted(db, page);
          } else {
            addLive(db, page, range.cursor().orElse(page.entries.start()));
          }
          return page.entries.finish();
        });
  }

  /** The common case in one statement; empty if a row is damaged. */
  private static Optional<EntryPage> undamagedPage(Db db, SessionKey key, Range range, long now)
      throws SQLException {
    boolean back = range.backward();
    List<Entry> entries = new ArrayList<>();
    try (PreparedStatement statement =
            db.prepare(
                "SELECT {entry}"
                    + OF_LIVE_SESSION
                    + " AND i.position "
                    + (back ? "< ? ORDER BY i.position DESC" : "> ? ORDER BY i.position")
                    + " LIMIT ?",
                Keys.of(key),
                now,
                range.cursor().orElse(back ? Long.MAX_VALUE : Long.MIN_VALUE),
                range.limit() + 1L);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        Optional<Entry> entry = Rows.live(rows);
        if (entry.isEmpty()) {
          return Optional.empty();
        }
        entries.add(entry.get());
      }
    }
    boolean more = entries.size() > range.limit();
    if (more) {
      entries.remove(entries.size() - 1);
    }
    if (back) {
      Collections.reverse(entries);
    }
    return Optional.of(new EntryPage(entries, more));
  }

  /*
   * The whole conversation as it was: what the first replacement took away, then what the second
   * took, and so on, then what is there now. So the order is by generation, live rows last.
   */
  private void addWithCompacted(Db db, Page page) throws SQLException {
    Range range = page.range;
    long position = range.cursor().orElse(page.entries.start());
    Optional<Long> generation =
        db.first(
            "SELECT generation FROM {s}.archive WHERE session = ? AND position = ?",
            row -> row.getLong(1),
            page.session,
            position);
    if (range.backward()) {
      if (generation.isEmpty()) {
        addLive(db, page, position);
      }
      addArchived(db, page, generation.orElse(Long.MAX_VALUE), position);
    } else {
      boolean live = range.cursor().isPresent() && generation.isEmpty();
      if (!live) {
        addArchived(db, page, generation.orElse(Long.MIN_VALUE), position);
      }
      addLive(db, page, live ? position : page.entries.start());
    }
  }

  private void addLive(Db db, Page page, long from) throws SQLException {
    String order =
        page.range.backward() ? "< ? ORDER BY i.position DESC" : "> ? ORDER BY i.position";
    String sql =
        "SELECT {entry} FROM {s}.items i WHERE i.session = ? AND i.position " + order + " LIMIT ?";
    long start = from;
    while (page.add(db.prepare(sql, page.session, start, page.chunk()), Rows::live)) {
      start = page.lastPosition;
    }
  }

  private void addArchived(Db db, Page page, long generation, long position) throws SQLException {
    String order =
        page.range.backward()
            ? "< (?, ?) ORDER BY i.generation DESC, i.position DESC"
            : "> (?, ?) ORDER BY i.generation, i.position";
    String sql =
        "SELECT {entry}, i.generation FROM {s}.archive i WHERE i.session = ? AND (i.generation,"
            + " i.position) "
            + order
            + " LIMIT ?";
    long[] from = {generation, position};
    boolean more = true;
    while (more) {
      more =
          page.add(
              db.prepare(sql, page.session, from[0], from[1], page.chunk()),
              row -> {
                from[0] = row.getLong(6);
                from[1] = row.getLong(1);
                return Rows.archived(row);
              });
    }
  }

  /** A page filled with rows, some at a time. Not thread-safe. */
  private final class Page {
    final UUID session;
    final Range range;
    final PageFilling entries;
    long lastPosition;

    Page(SessionKey key, Range range) {
      this.session = Keys.of(key);
      this.range = range;
      this.entries = new PageFilling(range, position -> damage.found(key.toString(), position));
    }

    /** How many rows to fetch at a time. */
    int chunk() {
      return (int) Math.min(CHUNK, range.limit() + 1L);
    }

    /** Adds rows; returns whether the page needs more and there may be more. */
    boolean add(PreparedStatement statement, Sql.Row<Optional<Entry>> reader) throws SQLException {
      int count = 0;
      try (statement;
          ResultSet rows = statement.executeQuery()) {
        while (!entries.isFull() && rows.next()) {
          count++;
          lastPosition = rows.getLong(1);
          entries.add(lastPosition, reader.read(rows));
        }
      }
      return !entries.isFull() && count == chunk();
    }
  }

  /** The newest readable entries, oldest first, of a session whose row is locked. */
  List<Entry> newest(Db db, SessionKey key, int limit) throws SQLException {
    Page page = new Page(key, Range.latest(limit));
    addLive(db, page, Long.MAX_VALUE);
    return page.entries.finish().entries();
  }

  /**
   * The entries up to a position, oldest first, of a session whose row is locked.
   *
   * @throws ClewException.CorruptRecord if one of them is damaged
   */
  List<Entry> upTo(Db db, SessionKey key, long position) throws SQLException {
    Page page = new Page(key, Range.latest(Integer.MAX_VALUE));
    addLive(db, page, position == Long.MAX_VALUE ? position : position + 1);
    EntryPage entries = page.entries.finish();
    if (!entries.damaged().isEmpty()) {
      throw new ClewException.CorruptRecord(
          "the item at position %s of session %s is damaged; see 'clew doctor'"
              .formatted(entries.damaged().get(0), key));
    }
    return entries.entries();
  }

  static Optional<Entry> at(Db db, UUID session, long position) throws SQLException {
    return db.find(
        "SELECT {entry} FROM {s}.items i WHERE i.session = ? AND i.position = ?",
        Rows::live,
        session,
        position);
  }

  Optional<Entry> find(SessionKey key, String itemId, long now) {
    return connections.read(
        db ->
            db.find(
                "SELECT {entry}" + OF_LIVE_SESSION + " AND i.item_key = ? ORDER BY i.position DESC",
                row ->
                    Rows.live(row)
                        .filter(entry -> entry.item().id().filter(itemId::equals).isPresent()),
                Keys.of(key),
                now,
                Keys.number(itemId)));
  }
}
