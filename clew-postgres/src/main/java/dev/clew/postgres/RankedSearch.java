package dev.clew.postgres;

import dev.clew.Entry;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionKey;
import dev.clew.kit.SessionSearch;
import dev.clew.postgres.SearchIndex.Place;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * One search: chooses which items to rank, reads them and ranks them. Not thread-safe.
 *
 * <p>It ranks the newest {@value #RANKED} matches, because ranking every match of a common word
 * would take seconds. The index finds them. While another process is indexing items of the owner,
 * those are read and checked first, so that the result does not depend on it.
 */
final class RankedSearch {
  private static final int RANKED = 1000;

  /** How many items that are not indexed yet a search reads itself. */
  private static final int UNINDEXED = 2_000;

  private final SearchIndex index;
  private final Clock clock;
  private final SearchQuery query;
  private final SessionSearch search;
  private final boolean complete;

  /**
   * @param complete whether all items of the owner are indexed
   */
  RankedSearch(
      SearchIndex index, Clock clock, SearchQuery query, SessionSearch search, boolean complete) {
    this.index = index;
    this.clock = clock;
    this.query = query;
    this.search = search;
    this.complete = complete;
  }

  private record Candidate(Place place, SessionKey key, String title, long bytes, long added) {
    /** As {@link #indexed} sorts them: the newest first. */
    static final Comparator<Candidate> NEWEST_FIRST =
        Comparator.comparingLong(Candidate::added)
            .reversed()
            .thenComparing(lead -> lead.place().session().toString()) // as PostgreSQL compares them
            .thenComparing(lead -> lead.place().position(), Comparator.reverseOrder());
  }

  /** What the index finds, what it lacks, and whether that is all. */
  private record Leads(List<Candidate> indexed, List<Candidate> unindexed, boolean all) {
    static final Leads NONE = new Leads(List.of(), List.of(), false);
  }

  SearchResult result() {
    Leads leads = index.read(this::leads).orElse(Leads.NONE);
    // The newest matches are ranked, whether they are indexed: other processes decide when that is.
    Map<Place, Candidate> newest = new HashMap<>();
    leads.indexed().forEach(lead -> newest.put(lead.place(), lead));
    each(
        leads.unindexed(),
        search::hasSkipped,
        (lead, entry) -> {
          if (search.matches(entry)) {
            newest.put(lead.place(), lead);
          }
        });
    List<Candidate> ranked =
        newest.values().stream().sorted(Candidate.NEWEST_FIRST).limit(RANKED).toList();
    boolean whole =
        each(
            ranked,
            search::hasEnded,
            (lead, entry) -> search.look(lead.key(), lead.title(), entry));
    return search.result(!leads.all() || !whole);
  }

  /** Reads items piece by piece until it is enough; false if there was no connection for that. */
  private boolean each(
      List<Candidate> candidates, BooleanSupplier enough, BiConsumer<Candidate, Entry> what) {
    List<Candidate> left = candidates;
    while (!left.isEmpty() && !enough.getAsBoolean()) {
      List<Candidate> some = left.subList(0, SearchIndex.most(left, Candidate::bytes));
      Optional<Map<Place, Entry>> entries = index.read(db -> entries(db, some));
      if (entries.isEmpty()) {
        return false;
      }
      for (Candidate candidate : some) { // without a connection
        Entry entry = entries.get().get(candidate.place());
        if (entry != null) {
          what.accept(candidate, entry);
        }
      }
      left = left.subList(some.size(), left.size());
    }
    return true;
  }

  /** Where to look: at what the index finds, and at what it lacks. */
  private Leads leads(Db db) throws SQLException {
    List<Candidate> indexed = indexed(db);
    List<Candidate> unindexed = complete ? List.of() : unindexed(db);
    return new Leads(indexed, unindexed, unindexed.size() <= UNINDEXED);
  }

  /** Items of the owner that are new or changed since they were indexed. */
  private List<Candidate> unindexed(Db db) throws SQLException {
    Optional<UUID> session =
        query.sessionId().map(id -> Keys.of(new SessionKey(query.owner(), id)));
    String of =
        "SELECT i.session, i.position, s.id, s.title, octet_length(i.data), i.added"
            + " FROM {s}.unindexed w"
            + " JOIN {s}.sessions s ON s.session = w.session JOIN {s}.%s i ON i.session ="
            + " w.session AND i.position BETWEEN w.first AND w.last WHERE {live} AND s.owner = ?"
            + (session.isPresent() ? " AND s.session = ?" : "");
    List<Object> values = new ArrayList<>();
    for (int table = 0; table < 2; table++) {
      values.add(clock.millis());
      values.add(query.owner());
      session.ifPresent(values::add);
    }
    return db.all(
        String.format(of, "items")
            + " UNION ALL "
            + String.format(of, "archive")
            + " LIMIT "
            + (UNINDEXED + 1),
        this::candidate,
        values.toArray());
  }

  private Candidate candidate(ResultSet row) throws SQLException {
    return new Candidate(
        new Place(row.getObject(1, UUID.class), row.getLong(2)),
        new SessionKey(query.owner(), row.getString(3)),
        row.getString(4),
        row.getLong(5),
        row.getLong(6));
  }

  /** The newest matches; ranking every match of a common word would take seconds. */
  private List<Candidate> indexed(Db db) throws SQLException {
    Optional<UUID> session =
        query.sessionId().map(id -> Keys.of(new SessionKey(query.owner(), id)));
    List<Object> values = new ArrayList<>();
    values.add(Terms.query(query.owner(), search.phrases()));
    values.add(clock.millis());
    values.add(query.owner());
    session.ifPresent(values::add);
    return db.all(
        "SELECT c.session, c.position, c.id, c.title, coalesce("
            + size("items")
            + ", "
            + size("archive")
            + ", 0), c.added FROM (SELECT f.session, f.position, f.added, s.id, s.title FROM {s}.search f"
            + " JOIN {s}.sessions s ON s.session = f.session WHERE f.terms @@ ?::tsquery"
            + " AND {live} AND s.owner = ?"
            + (session.isPresent() ? " AND f.session = ?" : "")
            + " ORDER BY f.added DESC, f.session, f.position DESC LIMIT "
            + RANKED
            + ") c ORDER BY c.added DESC, c.session, c.position DESC",
        this::candidate,
        values.toArray());
  }

  private static String size(String table) {
    return "(SELECT octet_length(i.data) FROM {s}."
        + table
        + " i WHERE i.session = c.session AND i.position = c.position)";
  }

  private static Map<Place, Entry> entries(Db db, List<Candidate> candidates) throws SQLException {
    String from = " FROM q JOIN {s}.%s i ON i.session = q.session AND i.position = q.position";
    Map<Place, Entry> entries = new HashMap<>();
    db.all(
        "WITH q AS (SELECT * FROM unnest(?, ?) AS u (session, position)) SELECT {entry},"
            + " i.session, false"
            + String.format(from, "items")
            + " UNION ALL SELECT {entry}, i.session, true"
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
