package dev.clew.adapter;

import dev.clew.Item;
import java.util.List;
import java.util.Optional;

/**
 * A message of a framework as items. Immutable.
 *
 * @param items what any model and any program understands; empty if no item can say it
 * @param rest JSON text with what the items do not say, for the codec alone
 */
public record Encoded(List<Item> items, Optional<String> rest) {
  /** Makes the items unmodifiable. */
  public Encoded {
    items = List.copyOf(items);
  }

  /** A message that one item says completely. */
  public static Encoded of(Item item) {
    return new Encoded(List.of(item), Optional.empty());
  }
}
