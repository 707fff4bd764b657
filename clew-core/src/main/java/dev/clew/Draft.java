package dev.clew;

import dev.clew.internal.Json;
import java.util.Map;
import java.util.Objects;

/**
 * An item to be written, with the notes that shall stand beside it. Immutable.
 *
 * @param item the item
 * @param notes small facts that are not part of the item: usage, model, who wrote it; JSON values
 */
public record Draft(Item item, Map<String, Object> notes) {
  /** Checks the notes and makes them unmodifiable. */
  public Draft {
    Objects.requireNonNull(item, "item");
    notes = notes.isEmpty() ? Map.of() : Json.readObject(Json.write(notes));
  }

  /** An item without notes. */
  public static Draft of(Item item) {
    return new Draft(item, Map.of());
  }
}
