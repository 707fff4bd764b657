package dev.clew.agent;

import dev.clew.Item;
import dev.clew.Session;
import dev.clew.View;
import dev.clew.Window;
import dev.clew.internal.Pairing;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A {@link Window} of as many of the newest turns as a number of tokens allows. Immutable and
 * thread-safe.
 *
 * <pre>{@code
 * RunConfig.DEFAULT.session(session).window(TokenWindow.of(8000, "gpt-4o"))
 * }</pre>
 *
 * <p>It starts where a turn begins, or at the newest compaction item. If the newest turn alone is
 * too large, it is cut between its steps: the newest steps that fit, and at the least the newest
 * step as a whole, even if that is too large. So a call is never shown without its output, nor
 * reasoning without what it led to, and only an empty session gives an empty window.
 *
 * <p>Each item is tokenised once and its count remembered; of a long session only the end is read.
 */
public final class TokenWindow implements Window {
  private static final int FIRST_READ = 64;

  private final long tokens;
  private final TokenCounter counter;

  private TokenWindow(long tokens, TokenCounter counter) {
    if (tokens < 1) {
      throw new IllegalArgumentException("a window has at least 1 token, not " + tokens);
    }
    this.tokens = tokens;
    this.counter = counter;
  }

  /** A window of so many tokens, as the newest OpenAI models count them (o200k). */
  public static TokenWindow of(long tokens) {
    return of(tokens, "");
  }

  /** A window of so many tokens as this model counts them; o200k for a model that is not known. */
  public static TokenWindow of(long tokens, String model) {
    return new TokenWindow(tokens, TokenCounter.forModel(model));
  }

  @Override
  public List<Item> read(Session session) {
    // Doubling, because a session can only be asked for its newest items.
    for (int limit = FIRST_READ; ; limit = limit > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : limit * 2) {
      List<Item> items = session.getItems(limit);
      boolean all = items.size() < limit || limit == Integer.MAX_VALUE;
      int start = start(items, all);
      if (start >= 0) {
        return List.copyOf(items.subList(start, items.size()));
      }
    }
  }

  /** Where the window starts in the newest items, or -1 if more of them have to be read. */
  private int start(List<Item> items, boolean all) {
    Pairs pairs = new Pairs(items, all);
    long sum = 0;
    int turn = -1;
    int step = -1;
    for (int i = items.size() - 1; i >= 0; i--) {
      Item item = items.get(i);
      sum += counter.count(item);
      if (sum > tokens && (turn >= 0 || step >= 0)) {
        return turn >= 0 ? turn : step;
      }
      if (item.view() instanceof View.Compaction) {
        return i;
      }
      if (i == 0) {
        break;
      }
      if (!pairs.isCutBefore(i)) {
        step = i;
        turn = Window.startsTurn(item) ? i : turn;
      }
    }
    return all ? 0 : -1; // everything fits, or there is but one step
  }

  /** Which places of a history lie between things that belong together. Used from its end on. */
  private static final class Pairs {
    private final List<Item> items;
    private final List<Optional<Pairing.Side>> sides = new ArrayList<>();
    private final Set<Pairing.Side> calls = new HashSet<>();
    private final Set<Pairing.Side> open = new HashSet<>(); // outputs whose call is further up
    private final boolean all;

    Pairs(List<Item> items, boolean all) {
      this.items = items;
      this.all = all;
      for (Item item : items) {
        Optional<Pairing.Side> side = Pairing.side(item);
        sides.add(side);
        side.filter(each -> !each.output()).ifPresent(calls::add);
      }
    }

    /** Whether a window that starts at {@code i} lacks the other half of something in it. */
    boolean isCutBefore(int i) {
      sides.get(i).ifPresent(this::pass);
      return !open.isEmpty() || isReasoning(items.get(i - 1));
    }

    private void pass(Pairing.Side side) {
      if (!side.output()) {
        open.remove(side.other());
      } else if (!all || calls.contains(side.other())) {
        open.add(side); // one that has no call at all belongs to nothing
      }
    }
  }

  private static boolean isReasoning(Item item) {
    return item.type().equals("reasoning");
  }
}
