package dev.clew.agent;

import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.json.Json;
import java.util.Map;

/**
 * Marks items that a guardrail stopped: they are kept, and never shown to a model again. Stateless.
 *
 * <p>In a store the mark is a note of the item. In a session without notes it is the last field of
 * the item, which does no harm because such an item is sent to no model.
 */
final class Blocked {
  private static final String NOTE = "blocked_by";
  private static final String FIELD = "clew_blocked_by";

  private Blocked() {}

  static Draft note(Item item, String guardrail) {
    return new Draft(item, Map.of(NOTE, guardrail));
  }

  /** Whether a guardrail has stopped the item of this entry. */
  static boolean isNoted(Entry entry) {
    return entry.notes().containsKey(NOTE);
  }

  static Item mark(Item item, String guardrail) {
    String json = item.json();
    return Item.stored(
        json.substring(0, json.length() - 1)
            + (json.equals("{}") ? "" : ",")
            + Json.quote(FIELD)
            + ":"
            + Json.quote(guardrail)
            + "}");
  }

  static boolean isMarked(Item item) {
    return item.json().contains(FIELD) && Json.fields(item.json()).containsKey(FIELD);
  }
}
