package dev.clew.agent;

import dev.clew.Item;
import java.util.List;

/**
 * A compacted history. Immutable.
 *
 * @param items what stands for the history, oldest first; the same items if there was nothing to do
 * @param usage what it cost
 */
public record Compaction(List<Item> items, Usage usage) {
  /** Makes the list unmodifiable. */
  public Compaction {
    items = List.copyOf(items);
  }

  /** A compaction that cost nothing. */
  public static Compaction of(List<Item> items) {
    return new Compaction(items, Usage.NONE);
  }
}
