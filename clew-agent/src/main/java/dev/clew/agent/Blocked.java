package dev.clew.agent;

import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.json.Json;
import java.util.Map;

/**
 * The mark of items that a guardrail has stopped: they are kept, and never shown to a model again.
 * Stateless.
 *
 * <p>A store keeps it as a note beside the item. A session without notes keeps it in the item, as a
 * field at its end, which is no harm because such an item goes to no model.
 */
public final class Blocked {
  private static final String NOTE = "blocked_by";
  private static final String FIELD = "clew_blocked_by";

  private Blocked() {}

  static Draft note(Item item, String guardrail) {
    return new Draft(item, Map.of(NOTE, guardrail));
  }

  /** Whether a guardrail has stopped the item of this entry. */
  public static boolean isNoted(Entry entry) {
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
