package dev.clew;

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
      List<Item> items = session.getItems(n == Integer.MAX_VALUE ? n : n + 1);
      List<Item> newest =
          fromCompaction(items.subList(Math.max(0, items.size() - n), items.size()));
      boolean whole = items.size() <= n || (!newest.isEmpty() && isCompaction(newest.get(0)));
      return whole ? List.copyOf(newest) : List.copyOf(fromTurnEdge(newest));
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
    return item.view() instanceof View.Compaction;
  }

  private static List<Item> fromCompaction(List<Item> items) {
    for (int i = items.size() - 1; i > 0; i--) {
      if (isCompaction(items.get(i))) {
        return items.subList(i, items.size());
      }
    }
    return items;
  }

  private static List<Item> fromTurnEdge(List<Item> items) {
    for (int i = 0; i < items.size(); i++) {
      if (startsTurn(items.get(i))) {
        return items.subList(i, items.size());
      }
    }
    return fromStepEdge(items);
  }

  /** Within a turn that is longer than the window: the first place no call or reasoning spans. */
  private static List<Item> fromStepEdge(List<Item> items) {
    Set<String> outputs = new HashSet<>();
    int start = items.size();
    for (int i = items.size() - 1; i >= 0; i--) {
      View view = items.get(i).view();
      if (view instanceof View.FunctionCallOutput output) {
        outputs.add(output.callId());
      } else if (view instanceof View.FunctionCall call) {
        outputs.remove(call.callId());
      }
      boolean afterReasoning = i > 0 && items.get(i - 1).view() instanceof View.Reasoning;
      // What stands before the first item is unknown, so only a message can be the first.
      boolean safeStart = i > 0 || view instanceof View.Message;
      if (outputs.isEmpty() && !afterReasoning && safeStart) {
        start = i;
      }
    }
    return items.subList(start, items.size());
  }

  private static void requirePositive(int n) {
    if (n < 1) {
      throw new IllegalArgumentException("a window has at least 1, not " + n);
    }
  }
}
