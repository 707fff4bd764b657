package dev.clew;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * How much of a session's history a model sees. Implementations are stateless.
 *
 * <p>Windows cut where a turn begins, so a tool call is never shown without its output nor
 * reasoning without what it led to, and they start at the newest compaction item they contain, with
 * the messages right before it that the compaction left unchanged. They work on any {@link
 * Session}.
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
    return session -> {
      List<Item> items = session.getItems(Integer.MAX_VALUE);
      return items.subList(Math.max(0, compactionStart(items)), items.size());
    };
  }

  /**
   * At most the newest {@code n} items, without incomplete turns. A turn longer than {@code n} is
   * cut between its steps.
   */
  static Window lastItems(int n) {
    requirePositive(n);
    return session -> {
      // One more than asked for, to see what the window would be cut from.
      List<Item> items = session.getItems(n == Integer.MAX_VALUE ? n : n + 1);
      int first = Math.max(0, items.size() - n);
      List<Item> newest = items.subList(first, items.size());
      int start = compactionStart(newest);
      if (start >= 0) {
        return List.copyOf(newest.subList(start, newest.size()));
      }
      return List.copyOf(
          first == 0 ? newest : items.subList(firstEdge(items, first), items.size()));
    };
  }

  /**
   * At most the newest {@code n} messages of user and assistant, with everything between them:
   * calls, their outputs and reasoning belong to their turn and do not count, nor do system
   * messages. It starts where a turn begins; a turn with more messages is cut between its steps.
   */
  static Window lastMessages(int n) {
    requirePositive(n);
    return session -> newest(session, items -> messagesStart(items, n));
  }

  /** The newest {@code n} turns, each a user message and what follows it. */
  static Window lastTurns(int n) {
    requirePositive(n);
    return session -> newest(session, items -> turnsStart(items, n));
  }

  /** Doubling, because a plain session can only be asked for its newest items. */
  private static List<Item> newest(Session session, ToIntFunction<List<Item>> beginning) {
    for (int limit = 64; ; limit = limit > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : limit * 2) {
      List<Item> items = session.getItems(limit);
      boolean all = items.size() < limit;
      int start = beginning.applyAsInt(items);
      // What begins with the first item may begin before it.
      if (start > 0 || all) {
        return List.copyOf(items.subList(Math.max(start, 0), items.size()));
      }
    }
  }

  /** Where the newest messages start, or the newest compaction if that comes first; else -1. */
  private static int messagesStart(List<Item> items, int n) {
    int messages = 0;
    for (int i = items.size() - 1; i >= 0; i--) {
      if (isCompaction(items.get(i))) {
        return compactionStart(items);
      }
      if (isSaid(items.get(i)) && ++messages > n) {
        return firstEdge(items, i + 1);
      }
    }
    return -1;
  }

  private static boolean isSaid(Item item) {
    return item.type().equals("message")
        && item.view() instanceof View.Message message
        && (message.role() == Role.USER || message.role() == Role.ASSISTANT);
  }

  /** Where the newest turns start, or the newest compaction if that comes first; else -1. */
  private static int turnsStart(List<Item> items, int n) {
    int turns = 0;
    for (int i = items.size() - 1; i >= 0; i--) {
      if (isCompaction(items.get(i))) {
        return compactionStart(items);
      }
      if (startsTurn(items.get(i)) && ++turns == n) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Where a model's view of these items starts: at the newest compaction item, or at the first of
   * the user's, system and developer messages right before it, which a compaction leaves unchanged;
   * -1 if there is no compaction item.
   */
  static int compactionStart(List<Item> items) {
    int start = items.size() - 1;
    while (start >= 0 && !isCompaction(items.get(start))) {
      start--;
    }
    while (start > 0 && isLeftByCompaction(items.get(start - 1))) {
      start--;
    }
    return start;
  }

  /** Whether a compaction item stands for everything before it but an item such as this. */
  static boolean isLeftByCompaction(Item item) {
    return item.type().equals("message")
        && item.view() instanceof View.Message message
        && message.role() != Role.ASSISTANT;
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
    Set<ToolCallPairing.Side> outputs = new HashSet<>();
    int edge = items.size();
    for (int i = items.size() - 1; i >= first; i--) {
      ToolCallPairing.side(items.get(i))
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
