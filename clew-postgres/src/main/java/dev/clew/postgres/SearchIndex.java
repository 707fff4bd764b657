package dev.clew.postgres;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SearchResult.Hit;
import dev.clew.SessionKey;
import dev.clew.internal.SearchHits;
import dev.clew.internal.SearchText;
import dev.clew.internal.text.SearchPhrases;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The full-text index: derived from the items, behind them by a little, never wrong for long.
 * Thread-safe.
 *
 * <p>Appending only queues a range of positions in {@code unindexed}. The queue is worked off in
 * the background and before a search, at most {@value #BATCH} items a transaction, by any number of
 * processes at once. Whoever removes an item removes it from the index in the same transaction;
 * indexing locks the items it writes of, so that a word never outlives its item. Every hit is
 * checked against the item it came from.
 */
final class SearchIndex {
  private static final int BATCH = 100;
  private static final Duration BEFORE_SEARCH = Duration.ofMillis(500);
  private static final int CANDIDATES = 1000;
  private static final long MAX_TEXT = 16 << 20;

  /** Queues ranges, given as arrays of session, first and last. */
  static final String ADD =
      "INSERT INTO {s}.unindexed AS w (session, first, last) SELECT * FROM unnest(?, ?, ?)"
          + " ON CONFLICT (session, first) DO UPDATE SET last = greatest(w.last, EXCLUDED.last)";

  private final Connections connections;
  private final Clock clock;

  SearchIndex(Connections connections, Clock clock) {
    this.connections = connections;
    this.clock = clock;
  }

  private record Range(UUID session, long first, long last) {}

  private record Place(UUID session, long position) {}

  private record Fresh(Place place, long added, boolean archived, String terms) {}

  private record Candidate(Place place, SessionKey key, String title) {}

  private record Found(Candidate candidate, Entry entry, String text, double score) {}

  private static final Comparator<Found> BEST_FIRST =
      Comparator.comparingDouble(Found::score)
          .thenComparing(found -> found.entry().addedAt())
          .thenComparingLong(found -> found.entry().position())
          .reversed();

  /** Items from one position to another are new, or are others now. */
  static void add(Db db, UUID session, long first, long last) throws SQLException {
    if (first <= last) {
      db.update(ADD, new UUID[] {session}, new Long[] {first}, new Long[] {last});
    }
  }

  /** Items are gone or are others now; they must have been deleted or changed before. */
  static void remove(Db db, UUID session, Long[] positions) throws SQLException {
    db.update(
        "DELETE FROM {s}.search WHERE session = ? AND position = ANY (?)", session, positions);
  }

  /** Whether there is nothing left to do after working for at most this long. */
  boolean catchUp(Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (step()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
    }
    // What is left is in the hands of another process.
    return connections
        .read(db -> db.first("SELECT 1 FROM {s}.unindexed LIMIT 1", row -> 1))
        .isEmpty();
  }

  /** Works off one batch; whether there was anything to do. */
  boolean step() {
    boolean work =
        connections
            .read(db -> db.first("SELECT 1 FROM {s}.unindexed LIMIT 1", row -> 1))
            .isPresent();
    return work && connections.write(SearchIndex::index);
  }

  private static boolean index(Db db) throws SQLException {
    List<Range> ranges =
        db.all(
            "SELECT session, first, last FROM {s}.unindexed ORDER BY session, first LIMIT "
                + BATCH
                + " FOR UPDATE SKIP LOCKED",
            row -> new Range(row.getObject(1, UUID.class), row.getLong(2), row.getLong(3)));
    if (ranges.isEmpty()) {
      return false;
    }
    List<Fresh> fresh = fresh(db, ranges);
    boolean live = write(db, fresh, false);
    boolean archived = write(db, fresh, true);
    if (live && archived) {
      finish(db, ranges, fresh);
    }
    // If not, an item has been locked by someone who changes it; the range has its turn again.
    return true;
  }

  private static List<Fresh> fresh(Db db, List<Range> ranges) throws SQLException {
    String columns = "SELECT i.position, i.data, i.crc, i.added, i.session, s.owner, ";
    String from =
        " FROM q JOIN {s}.sessions s ON s.session = q.session JOIN {s}.%s i"
            + " ON i.session = q.session AND i.position BETWEEN q.first AND q.last";
    return db.all(
        "WITH q AS (SELECT * FROM unnest(?, ?, ?) AS u (session, first, last))"
            + columns
            + "false"
            + String.format(from, "items")
            + " UNION ALL "
            + columns
            + "true"
            + String.format(from, "archive")
            + " ORDER BY session, position LIMIT "
            + BATCH,
        row -> {
          Item item = Rows.item(row);
          return new Fresh(
              new Place(row.getObject(5, UUID.class), row.getLong(1)),
              row.getLong(4),
              row.getBoolean(7),
              item == null ? "" : Terms.vector(row.getString(6), SearchText.of(item)));
        },
        ranges.stream().map(Range::session).toArray(UUID[]::new),
        ranges.stream().map(Range::first).toArray(Long[]::new),
        ranges.stream().map(Range::last).toArray(Long[]::new));
  }

  /** Writes what is still there; whether that is all. */
  private static boolean write(Db db, List<Fresh> all, boolean archived) throws SQLException {
    // Ranges may overlap, and one statement cannot write a row twice.
    List<Fresh> fresh =
        all.stream()
            .filter(row -> row.archived() == archived && !row.terms().isEmpty())
            .distinct()
            .toList();
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

  /** Takes the ranges that are done from the queue, and the done part of the last one. */
  private static void finish(Db db, List<Range> ranges, List<Fresh> fresh) throws SQLException {
    int done = ranges.size();
    if (fresh.size() == BATCH) {
      Place last = fresh.get(BATCH - 1).place();
      for (int i = 0; i < ranges.size(); i++) {
        Range range = ranges.get(i);
        if (range.session().equals(last.session()) && range.last() >= last.position()) {
          done = i;
          break;
        }
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
      add(db, half.session(), fresh.get(BATCH - 1).place().position() + 1, half.last());
    }
  }

  SearchResult search(SearchQuery query) {
    SearchPhrases phrases = SearchPhrases.parse(query.text());
    if (phrases.isEmpty()) {
      return new SearchResult(List.of(), false);
    }
    boolean complete = catchUp(BEFORE_SEARCH);
    List<Hit> hits = connections.snapshot(db -> hits(db, query, phrases));
    return new SearchResult(hits, !complete);
  }

  /** The newest matches, best first: ranking every match of a common word would take seconds. */
  private List<Hit> hits(Db db, SearchQuery query, SearchPhrases phrases) throws SQLException {
    List<Candidate> candidates = candidates(db, query, phrases);
    List<Found> found = new ArrayList<>();
    long read = 0;
    for (int i = 0; i < candidates.size() && read < MAX_TEXT; i += BATCH) {
      List<Candidate> some = candidates.subList(i, Math.min(i + BATCH, candidates.size()));
      Map<Place, Entry> entries = entries(db, some);
      for (Candidate candidate : some) {
        Entry entry = entries.get(candidate.place());
        String text = entry == null ? "" : SearchText.of(entry.item());
        read += text.length();
        double score = phrases.score(text);
        if (entry != null && score > 0) {
          found.add(new Found(candidate, entry, text, score));
        }
      }
    }
    return found.stream()
        .sorted(BEST_FIRST)
        .limit(query.limit())
        .map(
            hit ->
                SearchHits.of(
                    hit.candidate().key(),
                    hit.candidate().title(),
                    hit.entry(),
                    hit.text(),
                    phrases,
                    hit.score()))
        .toList();
  }

  private List<Candidate> candidates(Db db, SearchQuery query, SearchPhrases phrases)
      throws SQLException {
    Optional<UUID> session =
        query.sessionId().map(id -> Keys.of(new SessionKey(query.owner(), id)));
    List<Object> values = new ArrayList<>();
    values.add(Terms.query(query.owner(), phrases));
    values.add(clock.millis());
    values.add(query.owner());
    session.ifPresent(values::add);
    return db.all(
        "SELECT f.session, f.position, s.id, s.title FROM {s}.search f"
            + " JOIN {s}.sessions s ON s.session = f.session"
            + " WHERE f.terms @@ ?::tsquery AND "
            + SessionRow.LIVE
            + " AND s.owner = ?"
            + (session.isPresent() ? " AND f.session = ?" : "")
            + " ORDER BY f.added DESC, f.session, f.position DESC LIMIT "
            + CANDIDATES,
        row ->
            new Candidate(
                new Place(row.getObject(1, UUID.class), row.getLong(2)),
                new SessionKey(query.owner(), row.getString(3)),
                row.getString(4)),
        values.toArray());
  }

  private static Map<Place, Entry> entries(Db db, List<Candidate> candidates) throws SQLException {
    String from = " FROM q JOIN {s}.%s i ON i.session = q.session AND i.position = q.position";
    Map<Place, Entry> entries = new HashMap<>();
    db.all(
        "WITH q AS (SELECT * FROM unnest(?, ?) AS u (session, position)) SELECT "
            + Rows.COLUMNS
            + ", i.session, false"
            + String.format(from, "items")
            + " UNION ALL SELECT "
            + Rows.COLUMNS
            + ", i.session, true"
            + String.format(from, "archive"),
        row -> {
          Place place = new Place(row.getObject(6, UUID.class), row.getLong(1));
          (row.getBoolean(7) ? Rows.archived(row) : Rows.live(row))
              .ifPresent(entry -> entries.put(place, entry));
          return true;
        },
        candidates.stream().map(candidate -> candidate.place().session()).toArray(UUID[]::new),
        candidates.stream().map(candidate -> candidate.place().position()).toArray(Long[]::new));
    return entries;
  }
}
