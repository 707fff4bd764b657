package dev.clew.internal.session;

import dev.clew.Entry;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SearchResult.Hit;
import dev.clew.SessionKey;
import dev.clew.internal.SearchHits;
import dev.clew.internal.SearchText;
import dev.clew.internal.text.SearchPhrases;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Looks through sessions one by one and keeps the best hits. Not thread-safe: make one for each
 * search.
 */
public final class SessionSearch {
  private record Found(SessionKey key, String title, Entry entry, String text, double score) {}

  private static final Comparator<Found> WORST_FIRST =
      Comparator.comparingDouble(Found::score)
          .thenComparing(found -> found.entry().addedAt())
          .thenComparingLong(found -> found.entry().position())
          .thenComparing(found -> found.key().id());

  private final SearchPhrases phrases;
  private final int limit;
  private final PriorityQueue<Found> best = new PriorityQueue<>(WORST_FIRST);

  /** For one query. */
  public SessionSearch(SearchQuery query) {
    this.phrases = SearchPhrases.parse(query.text());
    this.limit = query.limit();
  }

  /** Whether the query has no words. */
  public boolean isEmpty() {
    return phrases.isEmpty();
  }

  /** Looks through entries of a session. */
  public void look(SessionKey key, String title, List<Entry> entries) {
    for (Entry entry : entries) {
      String text = SearchText.of(entry.item());
      double score = text.isEmpty() ? 0 : phrases.score(text);
      if (score > 0) {
        best.add(new Found(key, title, entry, text, score));
        if (best.size() > limit) {
          best.remove();
        }
      }
    }
  }

  /** The best of what was found; {@code partial} if not everything was looked through. */
  public SearchResult result(boolean partial) {
    List<Found> ranked = new ArrayList<>(best);
    ranked.sort(WORST_FIRST.reversed());
    return new SearchResult(ranked.stream().map(this::hit).toList(), partial);
  }

  private Hit hit(Found found) {
    return SearchHits.of(
        found.key(), found.title(), found.entry(), found.text(), phrases, found.score());
  }
}
