package dev.clew.spi;

import dev.clew.SearchQuery;
import dev.clew.SearchResult;

/** A backend that searches by an index. */
public interface TextIndex {
  /** As {@link dev.clew.SessionStore#search(SearchQuery)}. */
  SearchResult search(SearchQuery query);
}
