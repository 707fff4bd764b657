package dev.clew;

import java.time.Instant;
import java.util.List;

/**
 * What a search found, best first. Immutable.
 *
 * @param hits the items found
 * @param partial whether there may be more: the index was still catching up, or there was too much
 *     to look at
 */
public record SearchResult(List<Hit> hits, boolean partial) {
  /** Makes the list unmodifiable. */
  public SearchResult {
    hits = List.copyOf(hits);
  }

  /**
   * One item that was found.
   *
   * @param key the session it is in
   * @param title the session's title
   * @param position where in the session
   * @param addedAt when it was added
   * @param score higher is better; comparable within one result only
   * @param snippet a piece of its text
   * @param highlights the parts of the snippet that matched
   */
  public record Hit(
      SessionKey key,
      String title,
      long position,
      Instant addedAt,
      double score,
      String snippet,
      List<Highlight> highlights) {
    /** Makes the list unmodifiable. */
    public Hit {
      highlights = List.copyOf(highlights);
    }
  }

  /** From {@code start} to before {@code end} in the snippet, in chars. */
  public record Highlight(int start, int end) {}
}
