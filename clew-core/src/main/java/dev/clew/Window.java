package dev.clew;

import dev.clew.internal.Pairing;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How much of a session's history a model is shown. Implementations are stateless.
 *
 * <p>Windows cut where a turn begins, so a tool call is never shown without its output nor
 * reasoning without what it led to, and they start at the newest compaction item they contain. They
 * work on any {@link Session}.
 *
 * <pre>{@code
 * List<Item> input = Window.lastTurns(5).read(session);
 * }</pre>
 */
@FunctionalInterface
public interface Window {

  /** The items to show, oldest first. */
  List<Item> read(Session session);

  /** Everything, whatever default limit the session has. */
  static Window all() {
    return session -> fromCompaction(session.getItems(Integer.MAX_VALUE));
  }

  /**
   * At most the newest {@code n} items, less what does not make a whole turn. A turn longer than
   * {@code n} is cut between its steps.
   */
  static Window lastItems(int n) {
    requirePositive(n);
    return session -> {
      // One more than asked for, to see what the window would be cut from.
      List<Item> items = session.getItems(n == Integer.MAX_VALUE ? n : n + 1);
      int first = Math.max(0, items.size() - n);
      List<Item> newest = fromCompaction(items.subList(first, items.size()));
      boolean whole = first == 0 || (!newest.isEmpty() && isCompaction(newest.get(0)));
      return List.copyOf(whole ? newest : items.subList(firstEdge(items, first), items.size()));
    };
  }

  /** The newest {@code n} turns, each a user message and what follows it. */
  static Window lastTurns(int n) {
    requirePositive(n);
    return session -> {
      // Doubling, because a plain session can only be asked for its newest items.
      for (int limit = 64;
          ;
          limit = limit > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : limit * 2) {
        List<Item> items = session.getItems(limit);
        int turns = 0;
        for (int i = items.size() - 1; i >= 0; i--) {
          if (isCompaction(items.get(i))) {
            return List.copyOf(items.subList(i, items.size()));
          }
          if (startsTurn(items.get(i)) && ++turns == n) {
            return List.copyOf(items.subList(i, items.size()));
          }
        }
        if (items.size() < limit) {
          return List.copyOf(items);
        }
      }
    };
  }

  /** Whether a turn begins with this item: it is a user's message. */
  static boolean startsTurn(Item item) {
    return item.type().equals("message")
        && item.view() instanceof View.Message message
        && message.role() == Role.USER;
  }

  private static boolean isCompaction(Item item) {
    return item.type().startsWith("compaction") && item.view() instanceof View.Compaction;
  }

  private static List<Item> fromCompaction(List<Item> items) {
    for (int i = items.size() - 1; i > 0; i--) {
      if (isCompaction(items.get(i))) {
        return items.subList(i, items.size());
      }
    }
    return items;
  }

  /** Where the first turn from {@code first} on begins, or else its first step. */
  private static int firstEdge(List<Item> items, int first) {
    for (int i = first; i < items.size(); i++) {
      if (startsTurn(items.get(i))) {
        return i;
      }
    }
    return firstStepEdge(items, first);
  }

  /** The first place from {@code first} on that no call and no reasoning spans. */
  private static int firstStepEdge(List<Item> items, int first) {
    Set<Pairing.Side> outputs = new HashSet<>();
    int edge = items.size();
    for (int i = items.size() - 1; i >= first; i--) {
      Pairing.side(items.get(i))
          .ifPresent(
              side -> {
                if (side.output()) {
                  outputs.add(side);
                } else {
                  outputs.remove(side.other());
                }
              });
      boolean afterReasoning = items.get(i - 1).view() instanceof View.Reasoning;
      if (outputs.isEmpty() && !afterReasoning) {
        edge = i;
      }
    }
    return edge;
  }

  private static void requirePositive(int n) {
    if (n < 1) {
      throw new IllegalArgumentException("a window has at least 1, not " + n);
    }
  }
}
