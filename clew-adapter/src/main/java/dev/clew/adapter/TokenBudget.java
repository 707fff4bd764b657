package dev.clew.adapter;

import dev.clew.Item;
import dev.clew.Session;
import dev.clew.View;
import dev.clew.Window;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * A {@link Window} of the newest turns that a number of tokens allows, as a framework counts them.
 * The newest turn is shown whole even if it is larger. Thread-safe if the counter is.
 */
public final class TokenBudget implements Window {
  private static final int FIRST_READ = 64;

  private final long tokens;
  private final ToIntFunction<String> counter;

  /** So many tokens, counted by the framework's estimator for texts. */
  public TokenBudget(long tokens, ToIntFunction<String> counter) {
    if (tokens < 1) {
      throw new IllegalArgumentException("a window has at least 1 token, not " + tokens);
    }
    this.tokens = tokens;
    this.counter = counter;
  }

  @Override
  public List<Item> read(Session session) {
    for (int limit = FIRST_READ;
        ;
        limit = limit > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : limit * 2) {
      List<Item> items = session.getItems(limit);
      boolean all = items.size() < limit || limit == Integer.MAX_VALUE;
      int start = start(items, all);
      if (start >= 0) {
        return List.copyOf(items.subList(start, items.size()));
      }
    }
  }

  /** Where the turns begin that fit; -1 if more must be read to know. */
  private int start(List<Item> items, boolean all) {
    long used = 0;
    int start = -1;
    int first = Math.max(0, Window.compactionStart(items));
    for (int i = items.size() - 1; i >= first; i--) {
      used += counter.applyAsInt(text(items.get(i)));
      if (used > tokens && start >= 0) {
        return start;
      }
      if (Window.startsTurn(items.get(i)) || (i == first && (all || first > 0))) {
        start = i;
      }
    }
    return all || first > 0 ? Math.max(start, 0) : -1;
  }

  private static String text(Item item) {
    return item.view() instanceof View.Message message ? message.text() : item.json();
  }
}
