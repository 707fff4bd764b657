package dev.clew.sqlite;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SearchResult.Hit;
import dev.clew.SessionKey;
import dev.clew.kit.SearchBudget;
import dev.clew.kit.SessionSearch;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Searches a file that may only be read: what is in the index there, and by reading what is not.
 * Stateless.
 */
final class UnindexedSearch {
  private static final Duration AT_MOST = Duration.ofSeconds(5);

  private final Connections connections;
  private final SearchIndex index;
  private final Clock clock;

  UnindexedSearch(Connections connections, SearchIndex index, Clock clock) {
    this.connections = connections;
    this.index = index;
    this.clock = clock;
  }

  SearchResult search(SearchQuery query) {
    long mark =
        connections.read(db -> db.number(0, "SELECT value FROM {our}meta WHERE name = 'indexed'"));
    List<Hit> hits = new ArrayList<>();
    if (mark > 0) {
      try {
        hits.addAll(index.search(query).hits());
      } catch (ClewException.StoreUnavailable e) {
        mark = 0; // the index is broken or lost, and cannot be made anew here
      }
    }
    SearchResult read = read(query, mark);
    for (Hit hit : read.hits()) {
      hits.removeIf(same -> same.key().equals(hit.key()) && same.position() == hit.position());
      hits.add(hit);
    }
    hits.sort(Comparator.comparingDouble(Hit::score).thenComparingLong(Hit::position).reversed());
    return new SearchResult(
        List.copyOf(hits.subList(0, Math.min(query.limit(), hits.size()))), read.partial());
  }

  /** Looks through everything above the mark, and what has changed up to it, newest first. */
  private SearchResult read(SearchQuery query, long mark) {
    SessionSearch search = new SessionSearch(query, new SearchBudget(query, AT_MOST));
    if (search.isEmpty()) {
      return search.result(false);
    }
    return connections.read(
        db ->
            db.snapshot(
                on -> {
                  boolean complete =
                      look(
                          on,
                          search,
                          query,
                          "SELECT "
                              + Rows.ENTRY_COLUMNS
                              + ", session_id FROM {messages} WHERE id > "
                              + mark
                              + (mark > 0 ? "" : " OR id <= 0")
                              + " OR id IN (SELECT position FROM {our}unindexed) ORDER BY id DESC",
                          false);
                  complete &=
                      look(
                          on,
                          search,
                          query,
                          "SELECT "
                              + Rows.ARCHIVE_COLUMNS
                              + ", session_id FROM {our}archive"
                              + (mark > 0
                                  ? " WHERE position IN (SELECT position FROM {our}unindexed)"
                                  : "")
                              + " ORDER BY position DESC",
                          true);
                  return search.result(!complete);
                }));
  }

  /** Looks through rows; whether there was time for all of them. */
  private boolean look(Db db, SessionSearch search, SearchQuery query, String sql, boolean archived)
      throws SQLException {
    try (ResultSet rows = db.bind(sql).executeQuery()) {
      while (rows.next()) {
        if (search.hasEnded()) {
          return false;
        }
        String id = rows.getString("session_id");
        Optional<SessionKey> key = KeyText.read(id).filter(it -> isMeant(query, it));
        if (key.isEmpty()) {
          continue;
        }
        Optional<Entry> entry = archived ? Rows.archived(rows) : Rows.entry(rows);
        if (entry.isPresent()) {
          Optional<SessionRow> session = SessionRow.live(db, id, clock.millis());
          session.ifPresent(it -> search.look(key.get(), it.title(), entry.get()));
        }
      }
    }
    return true;
  }

  private static boolean isMeant(SearchQuery query, SessionKey key) {
    return key.owner().equals(query.owner())
        && query.sessionId().map(key.id()::equals).orElse(true);
  }
}
