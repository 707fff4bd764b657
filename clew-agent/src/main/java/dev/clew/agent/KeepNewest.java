package dev.clew.agent;

import dev.clew.Item;
import dev.clew.Role;
import dev.clew.View;
import java.util.ArrayList;
import java.util.List;

/**
 * Compacts by forgetting: the newest items stay, and all system and developer messages if they are
 * to be preserved. Immutable.
 */
final class KeepNewest implements Compactor {
  private final int count;
  private final boolean preserveSystem;

  KeepNewest(int count, boolean preserveSystem) {
    if (count < 1) {
      throw new IllegalArgumentException("at least 1 item has to be kept, not " + count);
    }
    this.count = count;
    this.preserveSystem = preserveSystem;
  }

  @Override
  public Compaction compact(CompactionRequest request) {
    List<Item> items = request.items();
    if (items.size() <= count) {
      return Compaction.of(items);
    }
    List<Item> rest = items.stream().filter(item -> !isPreserved(item)).toList();
    int room = Math.max(1, count - (items.size() - rest.size()));
    int start = rest.isEmpty() ? 0 : WindowStart.find(rest, true, room, item -> 1);
    List<Item> kept = new ArrayList<>();
    int passed = 0;
    for (Item item : items) {
      if (isPreserved(item) || passed++ >= start) {
        kept.add(item);
      }
    }
    return Compaction.of(kept);
  }

  @Override
  public boolean canMakeOneItem() {
    return false;
  }

  private boolean isPreserved(Item item) {
    return preserveSystem && isInstruction(item);
  }

  /** Whether an item tells the model how to behave. */
  static boolean isInstruction(Item item) {
    return item.view() instanceof View.Message message
        && (message.role() == Role.SYSTEM || message.role() == Role.DEVELOPER);
  }
}
