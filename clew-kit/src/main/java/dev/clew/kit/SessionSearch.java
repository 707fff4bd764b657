package dev.clew.kit;

import dev.clew.Entry;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SearchResult.Hit;
import dev.clew.SessionKey;
import dev.clew.kit.text.SearchPhrases;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Scans entries one by one and keeps the best hits, until its budget is spent. Not thread-safe:
 * create one for each search.
 *
 * <p>The score of a hit depends only on its own text. A score that counts how many texts have a
 * word would have to count those of one owner only, or scores and order would reveal what others
 * said.
 */
public final class SessionSearch {
  /** The snippet of a longer text is cut at once, so that the text need not be kept. */
  private static final int LONG_TEXT = 1 << 14;

  /** A hit, and its text if its snippet is still to be cut. */
  private record Found(Hit hit, String text) {}

  private static final Comparator<Found> WORST_FIRST =
      Comparator.comparing(
          Found::hit,
          Comparator.comparingDouble(Hit::score)
              .thenComparing(Hit::addedAt)
              .thenComparingLong(Hit::position)
              .thenComparing(hit -> hit.key().id()));

  private final SearchPhrases phrases;
  private final int limit;
  private final SearchBudget budget;
  private final PriorityQueue<Found> best = new PriorityQueue<>(WORST_FIRST);
  private boolean ended;
  private boolean skipped;

  /** For one query. */
  public SessionSearch(SearchQuery query, SearchBudget budget) {
    this.phrases = SearchPhrases.parse(query.text());
    this.limit = query.limit();
    this.budget = budget;
  }

  /** What is searched for. */
  public SearchPhrases phrases() {
    return phrases;
  }

  /** Whether the query has no words. */
  public boolean isEmpty() {
    return phrases.isEmpty();
  }

  /** Whether to stop: nothing more is scanned. */
  public boolean hasEnded() {
    ended |= budget.isSpent();
    return ended;
  }

  /** Scans entries of a session. */
  public void look(SessionKey key, String title, List<Entry> entries) {
    for (Entry entry : entries) {
      look(key, title, entry);
    }
  }

  /** Scans one entry. */
  public void look(SessionKey key, String title, Entry entry) {
    if (hasEnded()) {
      return;
    }
    budget.spend(entry.item().json().length()); // all of it is parsed
    String text = SearchText.of(entry.item());
    double score = text.isEmpty() ? 0 : phrases.score(text);
    if (score > 0) {
      Hit hit = new Hit(key, title, entry.position(), entry.addedAt(), score, "", List.of());
      add(new Found(hit, text));
    }
  }

  /**
   * Whether an entry is a hit, for a store that has to choose which hits to rank. At most half of
   * the budget is spent on this; the result is partial if that was not enough.
   */
  public boolean matches(Entry entry) {
    if (hasEnded() || budget.isHalfSpent()) {
      skipped = true;
      return false;
    }
    budget.spend(entry.item().json().length());
    return phrases.matches(SearchText.of(entry.item()));
  }

  /** Whether {@link #matches} has left something out, and would leave out the rest. */
  public boolean hasSkipped() {
    return skipped;
  }

  private void add(Found found) {
    Found worst = best.peek();
    boolean full = best.size() == limit;
    if (full && worst != null && WORST_FIRST.compare(found, worst) < 0) {
      return;
    }
    if (full) {
      best.remove();
    }
    best.add(found.text().length() > LONG_TEXT ? new Found(cut(found), "") : found);
  }

  /** The best of what was found; {@code partial} if not everything was scanned. */
  public SearchResult result(boolean partial) {
    List<Found> ranked = new ArrayList<>(best);
    ranked.sort(WORST_FIRST.reversed());
    return new SearchResult(ranked.stream().map(this::cut).toList(), partial || ended || skipped);
  }

  private Hit cut(Found found) {
    return found.text().isEmpty() ? found.hit() : SearchHits.of(found.hit(), found.text(), phrases);
  }
}
