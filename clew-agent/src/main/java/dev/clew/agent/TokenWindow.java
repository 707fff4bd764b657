package dev.clew.agent;

import dev.clew.Item;
import dev.clew.Session;
import dev.clew.Window;
import java.util.List;

/**
 * A {@link Window} of as many of the newest turns as a number of tokens allows. Thread-safe.
 *
 * <pre>{@code
 * RunConfig.DEFAULT.session(session).window(TokenWindow.of(8000, "gpt-4o"))
 * }</pre>
 *
 * <p>It starts where a turn begins, or at the newest compaction item with the messages right before
 * it that the compaction left, as far as they fit. If the newest turn alone is too large, it is cut
 * between its steps: the newest steps that fit, and at the least the newest step as a whole, even
 * if that is too large. So a call is never shown without its output, nor reasoning without what it
 * led to, and only an empty session gives an empty window.
 *
 * <p>Each item is tokenised once and its count remembered; of a long session only the end is read.
 */
public final class TokenWindow implements Window {
  private static final int FIRST_READ = 64;
  private static final int MOST_READ_FIRST = 10_000;

  private final long tokens;
  private final TokenCounter counter;

  /**
   * How much to read first: what was enough the last time. A hint only, so any thread's will do.
   */
  private volatile int firstRead = FIRST_READ;

  private TokenWindow(long tokens, TokenCounter counter) {
    if (tokens < 1) {
      throw new IllegalArgumentException("a window has at least 1 token, not " + tokens);
    }
    this.tokens = tokens;
    this.counter = counter;
  }

  /** A window of this many tokens, as the newest OpenAI models count them (o200k). */
  public static TokenWindow of(long tokens) {
    return of(tokens, "");
  }

  /** A window of this many tokens, as this model counts them; o200k for an unknown model. */
  public static TokenWindow of(long tokens, String model) {
    return new TokenWindow(tokens, TokenCounter.forModel(model));
  }

  @Override
  public List<Item> read(Session session) {
    // Doubling, because a session can only be asked for its newest items.
    for (int limit = firstRead;
        ;
        limit = limit > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : limit * 2) {
      List<Item> items = session.getItems(limit);
      boolean all = items.size() < limit || limit == Integer.MAX_VALUE;
      int start = WindowStart.find(items, all, tokens, counter::count);
      if (start >= 0) {
        int shown = items.size() - start;
        firstRead = Math.max(FIRST_READ, (int) Math.min(MOST_READ_FIRST, shown * 5L / 4));
        return List.copyOf(items.subList(start, items.size()));
      }
    }
  }
}
