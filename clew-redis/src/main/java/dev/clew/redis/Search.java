package dev.clew.redis;

import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.kit.SearchBudget;
import dev.clew.kit.SessionSearch;
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

  // How much is read at once follows how large the items of a session are.
  private static final int FIRST_ITEMS = 20;
  private static final int MOST_ITEMS = 500;
  private static final long PAGE_CHARS = 1 << 20;

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
    SessionSearch search = new SessionSearch(query, new SearchBudget(query, limit));
    if (search.isEmpty()) {
      return search.result(false);
    }
    if (query.sessionId().isPresent()) {
      SessionKey key = new SessionKey(query.owner(), query.sessionId().get());
      sessions.info(key, now).ifPresent(info -> look(search, info, now));
      return search.result(false);
    }
    Optional<String> cursor = Optional.empty();
    do {
      SessionQuery page = SessionQuery.of(query.owner()).limit(SESSIONS);
      SessionPage found = list.page(cursor.map(page::cursor).orElse(page), now);
      for (SessionInfo info : found.sessions()) {
        look(search, info, now);
        if (search.hasEnded()) {
          return search.result(true);
        }
      }
      cursor = found.next();
    } while (cursor.isPresent());
    return search.result(false);
  }

  private void look(SessionSearch search, SessionInfo info, long now) {
    int items = FIRST_ITEMS;
    Range range = Range.first(items).withCompacted();
    while (!search.hasEnded()) {
      EntryPage page = reader.read(info.key(), range, now);
      search.look(info.key(), info.title(), page.entries());
      if (!page.hasMore()) {
        return;
      }
      long chars = page.items().stream().mapToLong(item -> item.json().length()).sum();
      items = chars > PAGE_CHARS ? Math.max(1, items / 4) : Math.min(MOST_ITEMS, items * 4);
      long last = page.entries().get(page.entries().size() - 1).position();
      range = Range.after(last, items).withCompacted();
    }
  }
}
