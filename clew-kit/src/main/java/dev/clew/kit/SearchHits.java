package dev.clew.kit;

import dev.clew.SearchResult.Highlight;
import dev.clew.SearchResult.Hit;
import dev.clew.kit.text.Excerpt;
import dev.clew.kit.text.SearchPhrases;

/** Shows what a search found. Stateless. */
public final class SearchHits {
  private static final int SNIPPET_CHARS = 160;

  private SearchHits() {}

  /** A hit with a snippet of its text, which matches the phrases. */
  public static Hit of(Hit hit, String text, SearchPhrases phrases) {
    Excerpt excerpt = Excerpt.of(text, phrases, SNIPPET_CHARS);
    return new Hit(
        hit.key(),
        hit.title(),
        hit.position(),
        hit.addedAt(),
        hit.score(),
        excerpt.text(),
        excerpt.highlights().stream()
            .map(range -> new Highlight(range.start(), range.end()))
            .toList());
  }
}
