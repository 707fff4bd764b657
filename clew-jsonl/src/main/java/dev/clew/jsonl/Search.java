package dev.clew.jsonl;

import dev.clew.ClewException.StoreUnavailable;
import dev.clew.Range;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionKey;
import dev.clew.kit.SearchBudget;
import dev.clew.kit.SessionInfos;
import dev.clew.kit.SessionSearch;
import dev.clew.kit.state.SessionState;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Searches by reading the sessions, newest first: no index has to be maintained or erased.
 * Stateless. If the budget is spent or a file cannot be read, the result is partial.
 */
record Search(SessionFiles files, Catalogue catalogue, Clock clock) {
  private static final Logger LOG = LoggerFactory.getLogger(Search.class);
  private static final Range ALL = Range.first(Integer.MAX_VALUE).withCompacted();

  SearchResult search(SearchQuery query) {
    SessionSearch search = new SessionSearch(query, new SearchBudget(query, SearchBudget.TIME));
    boolean partial = false;
    for (SessionKey key : search.isEmpty() ? List.<SessionKey>of() : keys(query)) {
      if (search.hasEnded()) {
        break;
      }
      try {
        files
            .inspect(key, SessionFile::state)
            .filter(
                state ->
                    !SessionInfos.hasExpired(state.info(), files.timeToLive(), clock.instant()))
            .ifPresent(state -> look(search, state));
      } catch (StoreUnavailable e) {
        LOG.warn("cannot search session {}", key, e);
        partial = true;
      }
    }
    return search.result(partial);
  }

  private List<SessionKey> keys(SearchQuery query) {
    return query
        .sessionId()
        .map(id -> List.of(new SessionKey(query.owner(), id)))
        .orElseGet(() -> catalogue.keys(query.owner(), Optional.of(clock.instant())));
  }

  /** Compacted entries count too: people remember words, not compactions. */
  private static void look(SessionSearch search, SessionState state) {
    search.look(state.key(), state.info().title(), state.page(ALL).entries());
  }
}
