package dev.clew.agent;

import dev.clew.Item;
import dev.clew.ToolCallPairing;
import dev.clew.Window;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Finds where a window on the newest items has to start so that what belongs together stays
 * together. Used once, from the end of the items on.
 */
final class WindowStart {
  private final List<Item> items;
  private final Set<ToolCallPairing.Side> calls = new HashSet<>();
  private final Set<ToolCallPairing.Side> open =
      new HashSet<>(); // outputs whose call is further up
  private final boolean all;

  private WindowStart(List<Item> items, boolean all) {
    this.items = items;
    this.all = all;
    if (all) {
      items.forEach(
          item -> ToolCallPairing.side(item).filter(s -> !s.output()).ifPresent(calls::add));
    }
  }

  /**
   * The index of the first item to show: the start of the oldest turn that fits with all that
   * follows, else that of the oldest step, else that of the newest step; the newest compaction item
   * if that comes first.
   *
   * @param items the newest items, oldest first
   * @param all whether there are no older ones
   * @param room what all items together may weigh
   * @return -1 if older items are needed to know
   */
  static int find(List<Item> items, boolean all, long room, ToLongFunction<Item> weight) {
    WindowStart pairs = new WindowStart(items, all);
    long sum = 0;
    int turn = -1;
    int step = -1;
    for (int i = items.size() - 1; i >= 0; i--) {
      Item item = items.get(i);
      sum += weight.applyAsLong(item);
      if (sum > room && (turn >= 0 || step >= 0)) {
        return turn >= 0 ? turn : step;
      }
      if (Summary.isCompaction(item)) {
        return withWhatItLeft(items, i, all, room - sum, weight);
      }
      if (i > 0 && !pairs.isCutBefore(i)) {
        step = i;
        turn = Window.startsTurn(item) ? i : turn;
      }
    }
    return all ? 0 : -1; // everything fits, or there is but one step
  }

  /** The messages right before a compaction item belong to it, as far as there is room. */
  private static int withWhatItLeft(
      List<Item> items, int compaction, boolean all, long room, ToLongFunction<Item> weight) {
    long left = room;
    int start = compaction;
    while (start > 0 && Window.isLeftByCompaction(items.get(start - 1))) {
      left -= weight.applyAsLong(items.get(start - 1));
      if (left < 0) {
        return start;
      }
      start--;
    }
    return start == 0 && !all ? -1 : start;
  }

  /** Whether a window that starts at {@code i} lacks the other half of something in it. */
  private boolean isCutBefore(int i) {
    ToolCallPairing.side(items.get(i)).ifPresent(this::pass);
    return !open.isEmpty() || isReasoning(items.get(i - 1));
  }

  private void pass(ToolCallPairing.Side side) {
    if (!side.output()) {
      open.remove(side.other());
    } else if (!all || calls.contains(side.other())) {
      open.add(side); // one that has no call at all belongs to nothing
    }
  }

  private static boolean isReasoning(Item item) {
    return item.type().equals("reasoning");
  }
}
