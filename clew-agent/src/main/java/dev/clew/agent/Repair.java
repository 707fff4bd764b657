package dev.clew.agent;

import dev.clew.Item;
import dev.clew.Role;
import dev.clew.ToolCallPairing;
import dev.clew.View;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Leaves out of a model's input what would make the model refuse it: calls without an output,
 * outputs without a call, and reasoning that led to nothing else. Stateless. The store keeps it.
 */
final class Repair {
  private Repair() {}

  static List<Item> repaired(List<Item> items) {
    ToolCallPairing pairing = new ToolCallPairing();
    boolean reasoning = false;
    for (int i = 0; i < items.size(); i++) {
      pairing.add(i, items.get(i));
      reasoning |= isReasoning(items.get(i));
    }
    Set<Integer> out = new HashSet<>();
    pairing.unpaired().forEach(lone -> out.add((int) lone.position()));
    if (reasoning) {
      leaveOutReasoning(items, out);
    }
    if (out.isEmpty()) {
      return items;
    }
    List<Item> kept = new ArrayList<>(items.size() - out.size());
    for (int i = 0; i < items.size(); i++) {
      if (!out.contains(i)) {
        kept.add(items.get(i));
      }
    }
    return List.copyOf(kept);
  }

  /** Reasoning belongs to what the model said or called right after it. */
  private static void leaveOutReasoning(List<Item> items, Set<Integer> out) {
    boolean wanted = false;
    for (int i = items.size() - 1; i >= 0; i--) {
      Item item = items.get(i);
      if (isReasoning(item)) {
        if (!wanted) {
          out.add(i);
        }
      } else if (isByModel(item)) {
        wanted |= !out.contains(i);
      } else {
        wanted = false;
      }
    }
  }

  private static boolean isReasoning(Item item) {
    return item.type().equals("reasoning");
  }

  private static boolean isByModel(Item item) {
    if (item.type().equals("message")) {
      return item.view() instanceof View.Message message && message.role() == Role.ASSISTANT;
    }
    return !item.type().endsWith("_output");
  }
}
