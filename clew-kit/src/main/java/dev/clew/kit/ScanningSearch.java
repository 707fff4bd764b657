package dev.clew.kit;

import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.spi.Backend;

/** Search without an index: reads the owner's sessions until the budget is spent. Stateless. */
public final class ScanningSearch {
  private static final int PAGE = 200;

  // How much is read at once follows how large the items of a session are.
  private static final int FIRST_ITEMS = 20;
  private static final int MOST_ITEMS = 500;
  private static final long PAGE_CHARS = 1 << 20;

  private ScanningSearch() {}

  /** The best hits; compacted entries are searched too. */
  public static SearchResult run(Backend backend, SearchQuery query) {
    SessionSearch search = new SessionSearch(query, new SearchBudget(query, SearchBudget.TIME));
    if (search.isEmpty()) {
      return search.result(false);
    }
    if (query.sessionId().isPresent()) {
      backend
          .info(new SessionKey(query.owner(), query.sessionId().get()))
          .ifPresent(info -> look(backend, info, search));
      return search.result(false);
    }
    for (SessionInfo info : SessionQuery.of(query.owner()).limit(PAGE).walk(backend::list)) {
      look(backend, info, search);
      if (search.hasEnded()) {
        break;
      }
    }
    return search.result(false);
  }

  private static void look(Backend backend, SessionInfo info, SessionSearch search) {
    int items =
        info.bytes() <= PAGE_CHARS
            ? MOST_ITEMS
            : (int)
                Math.max(1, Math.min(FIRST_ITEMS, PAGE_CHARS * info.itemCount() / info.bytes()));
    Range range = Range.first(items).withCompacted();
    while (!search.hasEnded()) {
      EntryPage page = backend.read(info.key(), range);
      search.look(info.key(), info.title(), page.entries());
      if (!page.hasMore() || page.entries().isEmpty()) {
        return;
      }
      long last = page.entries().get(page.entries().size() - 1).position();
      long chars = page.items().stream().mapToLong(item -> item.json().length()).sum();
      items = chars > PAGE_CHARS ? Math.max(1, items / 4) : Math.min(MOST_ITEMS, items * 4);
      range = Range.after(last, items).withCompacted();
    }
  }
}
