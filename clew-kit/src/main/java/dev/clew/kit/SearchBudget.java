package dev.clew.kit;

import dev.clew.SearchQuery;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * How much one search may still look at. Not thread-safe: make one for each search.
 *
 * <p>What a search costs is up to whoever wrote the texts, so each ends after an amount of text and
 * a time, and when nobody waits for it any more. Its result then is the best of what was looked at,
 * and says that it is partial.
 */
public final class SearchBudget {
  /** How much text; at most a few seconds of a processor. */
  private static final long CHARS = 64 << 20;

  /** A person has gone on to something else by then. */
  public static final Duration TIME = Duration.ofSeconds(5);

  private final BooleanSupplier wanted;
  private final long ends;
  private long chars = CHARS;

  /**
   * A budget that begins to run now.
   *
   * @param query what it is spent on
   * @param time how long, {@link #TIME} as a rule
   */
  public SearchBudget(SearchQuery query, Duration time) {
    this.wanted = query.wanted();
    this.ends = System.nanoTime() + time.toNanos();
  }

  /** Text was looked at. */
  public void spend(long looked) {
    chars -= looked;
  }

  /** Whether to stop. */
  public boolean isSpent() {
    return chars < 0 || System.nanoTime() - ends > 0 || !wanted.getAsBoolean();
  }
}
