package dev.clew.server.internal.completions;

import dev.clew.Item;
import dev.clew.Role;
import dev.clew.View;
import dev.clew.json.JsonObject;
import dev.clew.kit.Sha256;
import java.util.List;
import java.util.Map;

/**
 * The messages of a request as items. Immutable.
 *
 * @param items in order
 * @param names of speakers, by the index of their item
 * @param lead how many items at the beginning are instructions
 * @param steps the messages, without instructions
 */
record Given(List<Item> items, Map<Integer, String> names, int lead, Steps steps) {
  static Given of(List<Item> items, Map<Integer, String> names) {
    int lead = 0;
    while (lead < items.size() && isInstruction(items.get(lead))) {
      lead++;
    }
    return new Given(List.copyOf(items), Map.copyOf(names), lead, Steps.of(items));
  }

  private static boolean isInstruction(Item item) {
    return item.view() instanceof View.Message message
        && (message.role() == Role.SYSTEM || message.role() == Role.DEVELOPER);
  }

  /** Whether the model continues an answer that the client began. */
  boolean isPrefilled() {
    return steps.size() > 0 && steps.get(steps.size() - 1).kind() == Steps.Kind.ASSISTANT;
  }

  /** The number of steps before the answer. */
  int asked() {
    return steps.size() - (isPrefilled() ? 1 : 0);
  }

  /** The number of steps up to the last message of the assistant before the answer. */
  int known() {
    int known = asked();
    while (known > 0 && steps.get(known - 1).kind() != Steps.Kind.ASSISTANT) {
      known--;
    }
    return known;
  }

  /** A digest of the instructions at the beginning; empty if there are none. */
  String instructions() {
    return lead == 0
        ? ""
        : Sha256.brief(JsonObject.array(items.subList(0, lead).stream().map(Item::json).toList()));
  }
}
