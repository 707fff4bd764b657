package dev.clew.sqlite;

import dev.clew.Entry;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionKey;
import dev.clew.kit.SearchBudget;
import dev.clew.kit.SessionSearch;
import dev.clew.sqlite.SearchIndex.Amount;
import dev.clew.sqlite.SearchIndex.Backlog;
import dev.clew.sqlite.SearchIndex.Found;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * One search: chooses which messages to rank, reads them and ranks them. Not thread-safe.
 *
 * <p>It ranks the newest {@value #RANKED} matches, because ranking every match of a common word
 * would take seconds. The index finds them, and those that it lacks are read and checked first:
 * which messages are indexed depends on what others write, and must not show.
 */
final class RankedSearch {
  private static final int RANKED = 1000;

  /** How many rows that are not indexed yet a search reads itself. */
  private static final int UNINDEXED = 2_000;

  /** How many rows are read at once. */
  private static final int PIECE = 250;

  /** The most text that is read at once, unless a single item is larger. */
  private static final long PIECE_CHARS = 4 << 20;

  private final Connections connections;
  private final Clock clock;
  private final SearchQuery query;
  private final Backlog backlog;
  private final SearchBudget budget;
  private final SessionSearch search;
  private final Map<String, Optional<String>> titles = new HashMap<>();

  RankedSearch(Connections connections, Clock clock, SearchQuery query, Backlog backlog) {
    this.connections = connections;
    this.clock = clock;
    this.query = query;
    this.backlog = backlog;
    this.budget = new SearchBudget(query, SearchBudget.TIME);
    this.search = new SessionSearch(query, budget);
  }

  /** What the index finds, newest first; what it lacks; and whether that is all. */
  private record Leads(List<Long> indexed, List<Long> unindexed, boolean all) {}

  /** The entries found at the first {@code count} of some positions. */
  private record Piece(List<Found> found, int count) {}

  SearchResult result() {
    Leads leads = connections.search(db -> db.snapshot(this::leads));
    NavigableSet<Long> matching = new TreeSet<>(Comparator.reverseOrder());
    matching.addAll(leads.indexed());
    each(
        leads.unindexed(),
        search::hasSkipped,
        found -> {
          if (key(found).isPresent() && search.matches(found.entry())) {
            matching.add(found.entry().position());
          }
        });
    each(matching.stream().limit(RANKED).toList(), search::hasEnded, this::rank);
    return search.result(!leads.all());
  }

  private void rank(Found found) {
    Optional<String> title = titles.getOrDefault(found.sessionId(), Optional.empty());
    Optional<SessionKey> key = key(found);
    if (title.isPresent() && key.isPresent()) {
      search.look(key.get(), title.get(), found.entry());
    }
  }

  private Optional<SessionKey> key(Found found) {
    return KeyText.read(found.sessionId()).filter(key -> key.owner().equals(query.owner()));
  }

  /** Where to look: at what the index finds, and at what it lacks. */
  private Leads leads(Db db) throws SQLException {
    List<Long> indexed = indexed(db);
    boolean all = !budget.isSpent();
    if (backlog == Backlog.NONE) {
      return new Leads(indexed, List.of(), all);
    }
    // However far the index lags behind for others, owners find their own words.
    List<Long> unindexed = unindexed(db);
    return new Leads(indexed, unindexed, all && unindexed.size() <= UNINDEXED);
  }

  private List<Long> indexed(Db db) throws SQLException {
    String match =
        String.format(
            "owner : \"%s\" AND terms : (%s)",
            SearchIndex.term(query.owner()), search.phrases().fts5());
    String matches =
        "SELECT s.rowid FROM {our}search s WHERE {our}search MATCH ?1"
            + " AND s.rowid NOT IN (SELECT position FROM {our}unindexed)";
    String newest = " ORDER BY s.rowid DESC LIMIT " + RANKED;
    if (query.sessionId().isEmpty()) {
      return db.until(budget::isSpent, matches + newest, row -> row.getLong(1), match);
    }
    return db.until(
        budget::isSpent,
        matches
            + " AND (EXISTS (SELECT 1 FROM {messages} m"
            + " WHERE m.id = s.rowid AND m.session_id = ?2)"
            + " OR EXISTS (SELECT 1 FROM {our}archive a"
            + " WHERE a.position = s.rowid AND a.session_id = ?2))"
            + newest,
        row -> row.getLong(1),
        match,
        KeyText.of(new SessionKey(query.owner(), query.sessionId().get())));
  }

  /** Rows of the owner that are new or changed since they were indexed. */
  private List<Long> unindexed(Db db) throws SQLException {
    Optional<String> id =
        query.sessionId().map(session -> KeyText.of(new SessionKey(query.owner(), session)));
    String wanted = id.isPresent() ? "s.session_id = ?1" : "s.clew_owner = ?1";
    return db.until(
        budget::isSpent,
        // Of a short backlog each row, of a long one what is above the mark in each session.
        (backlog == Backlog.SHORT
                ? "SELECT m.id FROM {messages} m CROSS JOIN {sessions} s"
                    + " ON s.session_id = m.session_id"
                : "SELECT m.id FROM {sessions} s CROSS JOIN {messages} m"
                    + " ON m.session_id = s.session_id")
            + " WHERE m.id > ?2 AND "
            + wanted
            + " UNION ALL SELECT u.position FROM {our}unindexed u"
            + " CROSS JOIN {messages} m ON m.id = u.position"
            + " CROSS JOIN {sessions} s ON s.session_id = m.session_id WHERE "
            + wanted
            + " UNION ALL SELECT u.position FROM {our}unindexed u"
            + " CROSS JOIN {our}archive a ON a.position = u.position"
            + " CROSS JOIN {sessions} s ON s.session_id = a.session_id WHERE "
            + wanted
            + " LIMIT "
            + (UNINDEXED + 1),
        row -> row.getLong(1),
        id.orElseGet(() -> KeyText.owner(query.owner())),
        SearchIndex.mark(db));
  }

  /** Reads some positions piece by piece until it is enough. */
  private void each(List<Long> positions, BooleanSupplier enough, Consumer<Found> what) {
    for (int from = 0; from < positions.size() && !enough.getAsBoolean(); ) {
      List<Long> next = positions.subList(from, Math.min(from + PIECE, positions.size()));
      Piece piece = connections.search(db -> db.snapshot(moment -> read(moment, next)));
      piece.found().forEach(what); // without a connection
      from += piece.count();
    }
  }

  /** Reads the first of these positions, and the titles of their sessions unless they expired. */
  private Piece read(Db db, List<Long> positions) throws SQLException {
    Amount amount = new Amount(PIECE_CHARS);
    Map<Long, Found> found = new LinkedHashMap<>();
    List<Long> seen =
        db.until(
            amount::isEnough,
            at("{messages}", "id", "{entry}"),
            row -> {
              Optional<Entry> entry = Rows.entry(row);
              String session = row.getString(7);
              amount.add(entry.map(Entry::item).orElse(null));
              entry.ifPresent(value -> found.put(value.position(), new Found(session, value)));
              return row.getLong(1);
            },
            positions.toString());
    int count =
        amount.isEnough() ? positions.indexOf(seen.get(seen.size() - 1)) + 1 : positions.size();
    List<Long> elsewhere =
        positions.subList(0, count).stream().filter(at -> !found.containsKey(at)).toList();
    if (!elsewhere.isEmpty()) {
      db.all(
          at("{our}archive", "position", "{archived}"),
          row -> {
            String session = row.getString(8);
            Rows.archived(row)
                .ifPresent(entry -> found.put(entry.position(), new Found(session, entry)));
            return true;
          },
          elsewhere.toString());
    }
    for (Found each : found.values()) {
      if (!titles.containsKey(each.sessionId())) {
        titles.put(each.sessionId(), title(db, each.sessionId()));
      }
    }
    return new Piece(List.copyOf(found.values()), count);
  }

  private static String at(String table, String position, String columns) {
    return String.format(
        "SELECT %s, session_id FROM (SELECT value AS wanted FROM json_each(?)) CROSS JOIN %s "
            + "ON %s = wanted",
        columns, table, position);
  }

  /** The title of a session, unless it has expired. */
  private Optional<String> title(Db db, String sessionId) throws SQLException {
    return db.first(
        "SELECT clew_title FROM {sessions} WHERE session_id = ? AND {live}",
        row -> row.getString(1),
        sessionId,
        clock.millis());
  }
}
