package dev.clew.spi;

import dev.clew.SearchQuery;
import dev.clew.SearchResult;

/** A backend that searches with an index. Thread-safe. */
public interface TextIndex {
  /** As {@link dev.clew.SessionStore#search(SearchQuery)}. */
  SearchResult search(SearchQuery query);
}
