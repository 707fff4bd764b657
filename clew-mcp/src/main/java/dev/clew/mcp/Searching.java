package dev.clew.mcp;

import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionStore;
import dev.clew.kit.Family;
import dev.clew.kit.SearchFilter;

/** How searches are run, so that a server can limit them. Thread-safe. */
@FunctionalInterface
public interface Searching {
  /**
   * Searches, perhaps after waiting for other searches.
   *
   * @throws dev.clew.ClewException.RateLimited if there are too many
   */
  SearchResult search(SearchFilter filter, SearchQuery query);

  /** At once. */
  static Searching of(SessionStore store) {
    return new Family(store)::search;
  }
}
