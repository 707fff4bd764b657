package dev.clew.redis;

import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.internal.JsonText;
import dev.clew.internal.session.SessionSearch;
import java.time.Duration;
import java.util.Optional;

/**
 * Searches by looking through an owner's sessions, newest-updated first. Immutable.
 *
 * <p>Redis has no full-text index of its own. What an owner has is read in pages and looked through
 * with the same words as on every store, for a bounded time and amount; if that does not reach the
 * end, the result says that it is partial.
 */
final class Search {
  private static final int SESSIONS = 50;
  private static final int ITEMS = 500;
  private static final long MOST_BYTES = 64 << 20;

  private final SessionList list;
  private final Sessions sessions;
  private final HistoryReader reader;
  private final Duration limit;

  Search(SessionList list, Sessions sessions, HistoryReader reader, Duration deadline) {
    this.list = list;
    this.sessions = sessions;
    this.reader = reader;
    this.limit = deadline.dividedBy(2);
  }

  SearchResult search(SearchQuery query, long now) {
    SessionSearch search = new SessionSearch(query);
    if (search.isEmpty()) {
      return search.result(false);
    }
    Budget budget = new Budget(limit);
    if (query.sessionId().isPresent()) {
      SessionKey key = new SessionKey(query.owner(), query.sessionId().get());
      sessions.info(key, now).ifPresent(info -> look(search, info, budget, now));
      return search.result(budget.isSpent());
    }
    Optional<String> cursor = Optional.empty();
    do {
      SessionQuery page = SessionQuery.of(query.owner()).limit(SESSIONS);
      SessionPage found = list.page(cursor.map(page::cursor).orElse(page), now);
      for (SessionInfo info : found.sessions()) {
        look(search, info, budget, now);
        if (budget.isSpent()) {
          return search.result(true);
        }
      }
      cursor = found.next();
    } while (cursor.isPresent());
    return search.result(false);
  }

  private void look(SessionSearch search, SessionInfo info, Budget budget, long now) {
    Range range = Range.first(ITEMS).withCompacted();
    while (!budget.isSpent()) {
      EntryPage page = reader.read(info.key(), range, now);
      search.look(info.key(), info.title(), page.entries());
      page.items().forEach(item -> budget.spend(JsonText.utf8Length(item.json())));
      if (!page.hasMore()) {
        return;
      }
      long last = page.entries().get(page.entries().size() - 1).position();
      range = Range.after(last, ITEMS).withCompacted();
    }
  }

  /** How much may still be read. Not thread-safe. */
  private static final class Budget {
    private final long ends;
    private long bytes;

    Budget(Duration limit) {
      ends = System.nanoTime() + limit.toNanos();
    }

    void spend(long more) {
      bytes += more;
    }

    boolean isSpent() {
      return bytes > MOST_BYTES || System.nanoTime() > ends;
    }
  }
}
