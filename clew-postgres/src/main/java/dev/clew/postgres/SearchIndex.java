package dev.clew.postgres;

import dev.clew.Item;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.kit.SearchBudget;
import dev.clew.kit.SearchText;
import dev.clew.kit.SessionSearch;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The full-text index, derived from the items and updated a little later. Thread-safe.
 *
 * <p>An append only queues a range of positions in {@code unindexed}. The queue is processed in the
 * background and before a search, at most {@value #BATCH} items in a transaction, by any number of
 * processes. Removing an item removes its words in the same transaction, and indexing locks the
 * items, so a word never outlives its item. Each hit is checked against its item.
 */
final class SearchIndex {
  private static final int BATCH = 100;
  private static final Duration BEFORE_SEARCH = Duration.ofMillis(500);

  /** The most text to read at once, unless a single item is larger. */
  private static final long BATCH_BYTES = 4 << 20;

  /** Queues ranges: arrays of session, first and last position. */
  static final String ADD =
      "INSERT INTO {s}.unindexed AS w (session, first, last) SELECT * FROM unnest(?, ?, ?)"
          + " ON CONFLICT (session, first) DO UPDATE SET last = greatest(w.last, EXCLUDED.last)";

  /** Selects the ranges of an owner. */
  private static final String OF_OWNER =
      " WHERE EXISTS (SELECT 1 FROM {s}.sessions s WHERE s.session = w.session AND s.owner = ?)";

  private final Connections connections;
  private final Clock clock;
  private final Semaphore lane;
  private final boolean readOnly;

  /**
   * @param lane how many connections searches may use at once
   * @param readOnly whether the index must stay as it is; items that it lacks are read instead
   */
  SearchIndex(Connections connections, Clock clock, int lane, boolean readOnly) {
    this.connections = connections;
    this.clock = clock;
    this.lane = new Semaphore(lane);
    this.readOnly = readOnly;
  }

  private record Range(UUID session, long first, long last) {}

  record Place(UUID session, long position) {}

  /** An item that is to be read, and its size. */
  private record Sized(Place place, boolean archived, long bytes) {}

  private record Fresh(Place place, long added, boolean archived, String terms) {}

  /** Queues new or changed items. */
  static void add(Db db, UUID session, long first, long last) throws SQLException {
    if (first <= last) {
      db.update(ADD, new UUID[] {session}, new Long[] {first}, new Long[] {last});
    }
  }

  /** Removes items that were deleted or changed before. */
  static void remove(Db db, UUID session, Long[] positions) throws SQLException {
    db.update(
        "DELETE FROM {s}.search WHERE session = ? AND position = ANY (?)", session, positions);
  }

  /** Indexes for at most this long; returns whether nothing is left. */
  boolean catchUp(Duration limit) {
    return catchUp(limit, Optional.empty());
  }

  /** The same for one owner, who need not wait for the items of others. */
  private boolean catchUp(Duration limit, Optional<String> owner) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (step(owner)) {
      if (System.nanoTime() > deadline) {
        return false;
      }
    }
    return !isBehind(owner); // another process is indexing the rest
  }

  private boolean isBehind(Optional<String> owner) {
    String whose = owner.isPresent() ? OF_OWNER : "";
    String some = "SELECT 1 FROM {s}.unindexed w" + whose + " LIMIT 1";
    return connections.read(db -> db.exists(some, owner.stream().toArray()));
  }

  /** Indexes one batch; returns whether there was anything to do. */
  private boolean step(Optional<String> owner) {
    return isBehind(owner) && connections.write(db -> index(db, owner));
  }

  private static boolean index(Db db, Optional<String> owner) throws SQLException {
    List<Range> ranges =
        db.all(
            "SELECT session, first, last FROM {s}.unindexed w"
                + (owner.isPresent() ? OF_OWNER : "")
                + " ORDER BY session, first LIMIT "
                + BATCH
                + " FOR UPDATE SKIP LOCKED",
            row -> new Range(row.getObject(1, UUID.class), row.getLong(2), row.getLong(3)),
            owner.stream().toArray());
    if (ranges.isEmpty()) {
      return false;
    }
    List<Sized> there = there(db, ranges);
    List<Sized> some = there.subList(0, most(there, Sized::bytes));
    List<Fresh> fresh = fresh(db, some);
    boolean live = write(db, fresh, false);
    boolean archived = write(db, fresh, true);
    if (live && archived) {
      boolean cut = there.size() == BATCH || some.size() < there.size();
      finish(db, ranges, cut ? Optional.of(some.get(some.size() - 1).place()) : Optional.empty());
    }
    // Otherwise somebody is changing an item; the range is tried again.
    return true;
  }

  /** How many of these to read at once; at least one. */
  static <T> int most(List<T> all, ToLongFunction<T> bytes) {
    long sum = 0;
    int count = 0;
    while (count < Math.min(all.size(), BATCH) && (count == 0 || sum < BATCH_BYTES)) {
      sum += bytes.applyAsLong(all.get(count++));
    }
    return count;
  }

  /** The first items of the ranges. */
  private static List<Sized> there(Db db, List<Range> ranges) throws SQLException {
    String of =
        "SELECT i.session, i.position, %s, octet_length(i.data) FROM q JOIN {s}.%s i"
            + " ON i.session = q.session AND i.position BETWEEN q.first AND q.last";
    return db.all(
        "WITH q AS (SELECT * FROM unnest(?, ?, ?) AS u (session, first, last)) "
            + String.format(of, "false", "items")
            + " UNION ALL "
            + String.format(of, "true", "archive")
            + " ORDER BY session, position LIMIT "
            + BATCH,
        row ->
            new Sized(
                new Place(row.getObject(1, UUID.class), row.getLong(2)),
                row.getBoolean(3),
                row.getLong(4)),
        ranges.stream().map(Range::session).toArray(UUID[]::new),
        ranges.stream().map(Range::first).toArray(Long[]::new),
        ranges.stream().map(Range::last).toArray(Long[]::new));
  }

  private static List<Fresh> fresh(Db db, List<Sized> some) throws SQLException {
    String of =
        "SELECT i.position, i.data, i.crc, i.added, i.session, s.owner, %s FROM q"
            + " JOIN {s}.sessions s ON s.session = q.session"
            + " JOIN {s}.%s i ON i.session = q.session AND i.position = q.position";
    return db.all(
        "WITH q AS (SELECT DISTINCT * FROM unnest(?, ?) AS u (session, position)) "
            + String.format(of, "false", "items")
            + " UNION ALL "
            + String.format(of, "true", "archive"),
        row -> {
          Item item = Rows.item(row);
          return new Fresh(
              new Place(row.getObject(5, UUID.class), row.getLong(1)),
              row.getLong(4),
              row.getBoolean(7),
              item == null ? "" : Terms.vector(row.getString(6), SearchText.of(item)));
        },
        some.stream().map(item -> item.place().session()).toArray(UUID[]::new),
        some.stream().map(item -> item.place().position()).toArray(Long[]::new));
  }

  /** Indexes the items that still exist; returns whether all do. */
  private static boolean write(Db db, List<Fresh> all, boolean archived) throws SQLException {
    List<Fresh> fresh =
        all.stream().filter(row -> row.archived() == archived && !row.terms().isEmpty()).toList();
    if (fresh.isEmpty()) {
      return true;
    }
    int written =
        db.update(
            "INSERT INTO {s}.search (session, position, added, terms)"
                + " SELECT u.session, u.position, u.added, u.terms::tsvector"
                + " FROM unnest(?, ?, ?, ?) AS u (session, position, added, terms)"
                + " JOIN {s}."
                + (archived ? "archive" : "items")
                + " i ON i.session = u.session AND i.position = u.position"
                + " FOR SHARE OF i SKIP LOCKED"
                + " ON CONFLICT (session, position) DO UPDATE SET terms = EXCLUDED.terms",
            fresh.stream().map(row -> row.place().session()).toArray(UUID[]::new),
            fresh.stream().map(row -> row.place().position()).toArray(Long[]::new),
            fresh.stream().map(Fresh::added).toArray(Long[]::new),
            fresh.stream().map(Fresh::terms).toArray(String[]::new));
    return written == fresh.size();
  }

  /** Removes finished ranges from the queue, up to the place where the work was cut off. */
  private static void finish(Db db, List<Range> ranges, Optional<Place> cut) throws SQLException {
    int done = ranges.size();
    for (int i = 0; cut.isPresent() && i < ranges.size(); i++) {
      Range range = ranges.get(i);
      if (range.session().equals(cut.get().session()) && range.last() >= cut.get().position()) {
        done = i;
        break;
      }
    }
    List<Range> over = ranges.subList(0, done);
    db.update(
        "DELETE FROM {s}.unindexed w USING unnest(?, ?) AS u (session, first)"
            + " WHERE w.session = u.session AND w.first = u.first",
        over.stream().map(Range::session).toArray(UUID[]::new),
        over.stream().map(Range::first).toArray(Long[]::new));
    if (done < ranges.size()) {
      Range half = ranges.get(done);
      db.update(
          "DELETE FROM {s}.unindexed WHERE session = ? AND first = ?",
          half.session(),
          half.first());
      add(db, half.session(), cut.orElseThrow().position() + 1, half.last());
    }
  }

  SearchResult search(SearchQuery query) {
    SearchBudget budget = new SearchBudget(query, SearchBudget.TIME);
    SessionSearch search = new SessionSearch(query, budget);
    if (search.isEmpty()) {
      return search.result(false);
    }
    boolean complete =
        !readOnly && inLane(() -> catchUp(BEFORE_SEARCH, Optional.of(query.owner()))).orElse(false);
    return new RankedSearch(this, clock, query, search, complete).result();
  }

  /** Reads on one of the connections for searches, if one becomes free. */
  <T> Optional<T> read(Reads.Work<T> work) {
    return inLane(() -> connections.read(work));
  }

  /** Uses one of the connections for searches, if one becomes free. */
  private <T> Optional<T> inLane(Supplier<T> work) {
    boolean mine = false;
    try {
      mine = lane.tryAcquire(SearchBudget.TIME.toMillis(), TimeUnit.MILLISECONDS);
      return mine ? Optional.of(work.get()) : Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } finally {
      if (mine) {
        lane.release();
      }
    }
  }
}
