package dev.clew.kit;

import dev.clew.SearchQuery;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * How much one search may still scan. Not thread-safe: create one for each search.
 *
 * <p>The cost of a search depends on the texts, so each ends after an amount of text, after a time,
 * or when its caller is gone. Its result is then the best of what was scanned, and partial.
 */
public final class SearchBudget {
  /** How much text; at most a few seconds of a processor. */
  private static final long CHARS = 64 << 20;

  /** People do not wait longer than this. */
  public static final Duration TIME = Duration.ofSeconds(5);

  private final BooleanSupplier wanted;
  private final long ends;
  private final long halfTime;
  private long chars = CHARS;

  /**
   * A budget that starts now.
   *
   * @param query what it is spent on
   * @param time how long, {@link #TIME} as a rule
   */
  public SearchBudget(SearchQuery query, Duration time) {
    this.wanted = query.wanted();
    long now = System.nanoTime();
    this.ends = now + time.toNanos();
    this.halfTime = now + time.toNanos() / 2;
  }

  /** Text was scanned. */
  public void spend(long looked) {
    chars -= looked;
  }

  /** Whether to stop. */
  public boolean isSpent() {
    return chars < 0 || System.nanoTime() - ends > 0 || !wanted.getAsBoolean();
  }

  /** Whether a search that reads texts twice should begin to read them again. */
  boolean isHalfSpent() {
    return chars < CHARS / 2 || System.nanoTime() - halfTime > 0;
  }
}
