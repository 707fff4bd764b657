package dev.clew.internal;

import dev.clew.Entry;
import dev.clew.SearchResult.Highlight;
import dev.clew.SearchResult.Hit;
import dev.clew.SessionKey;
import dev.clew.internal.text.Excerpt;
import dev.clew.internal.text.SearchPhrases;

/** Shows what a search found. Stateless. */
public final class SearchHits {
  private static final int SNIPPET_CHARS = 160;

  private SearchHits() {}

  /** An entry whose searchable text matches the phrases. */
  public static Hit of(
      SessionKey key, String title, Entry entry, String text, SearchPhrases phrases, double score) {
    Excerpt excerpt = Excerpt.of(text, phrases, SNIPPET_CHARS);
    return new Hit(
        key,
        title,
        entry.position(),
        entry.addedAt(),
        score,
        excerpt.text(),
        excerpt.highlights().stream()
            .map(range -> new Highlight(range.start(), range.end()))
            .toList());
  }
}
