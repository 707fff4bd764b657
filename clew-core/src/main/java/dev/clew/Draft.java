package dev.clew;

import dev.clew.json.Json;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * An item to be written, with its notes. Immutable.
 *
 * @param item the item
 * @param notes small facts that are not part of the item: usage, model, who wrote it; JSON values
 * @param addedAt when it was added elsewhere, for imported items; empty for now. Stores keep
 *     milliseconds; see {@link Commit#times} for how they adjust it
 */
public record Draft(Item item, Map<String, Object> notes, Optional<Instant> addedAt) {
  /** Checks the notes and makes them unmodifiable. */
  public Draft {
    Objects.requireNonNull(item, "item");
    notes = notes.isEmpty() ? Map.of() : Json.readObject(Json.write(notes));
    addedAt = addedAt.map(GivenTime::of);
  }

  /** An item that counts as added when it is written. */
  public Draft(Item item, Map<String, Object> notes) {
    this(item, notes, Optional.empty());
  }

  /** An item without notes. */
  public static Draft of(Item item) {
    return new Draft(item, Map.of());
  }

  /** A copy of an entry, with the time it was added. */
  public static Draft of(Entry entry) {
    return new Draft(entry.item(), entry.notes(), Optional.of(entry.addedAt()));
  }

  /** The same, added at that time. */
  public Draft at(Instant time) {
    return new Draft(item, notes, Optional.of(time));
  }
}
