package dev.clew;

import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * What to look for in one owner's sessions. Immutable.
 *
 * <p>Words are separated by spaces and all must be present; {@code "words in quotes"} must be
 * adjacent; the last word also matches the beginning of a longer one.
 *
 * @param owner whose sessions
 * @param text the words
 * @param limit 1 to 1,000
 * @param sessionId only this session
 * @param wanted whether someone still waits for the result; the searching thread asks repeatedly,
 *     and once it is false, the search ends with what it has
 */
public record SearchQuery(
    String owner, String text, int limit, Optional<String> sessionId, BooleanSupplier wanted) {
  /** Checks owner and limit. */
  public SearchQuery {
    SessionKey.checkOwner(owner);
    if (limit < 1 || limit > SessionQuery.MAX_LIMIT) {
      throw new IllegalArgumentException(
          "limit is " + limit + "; it must be 1 to " + SessionQuery.MAX_LIMIT);
    }
    if (text.length() > 1000) {
      throw new IllegalArgumentException(
          "a query has at most 1000 characters, not " + text.length());
    }
  }

  /**
   * The 20 best hits in all sessions of an owner.
   *
   * @param owner whose sessions; empty for the default owner
   * @param text the words
   */
  public static SearchQuery of(String owner, String text) {
    return new SearchQuery(owner, text, 20, Optional.empty(), () -> true);
  }

  /** With another number of hits. */
  public SearchQuery limit(int value) {
    return new SearchQuery(owner, text, value, sessionId, wanted);
  }

  /** Within one session. */
  public SearchQuery within(String id) {
    return new SearchQuery(owner, text, limit, Optional.of(id), wanted);
  }

  /** As long as someone waits for the result. */
  public SearchQuery wanted(BooleanSupplier value) {
    return new SearchQuery(owner, text, limit, sessionId, value);
  }
}
