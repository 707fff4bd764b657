package dev.clew.internal;

import dev.clew.Item;
import dev.clew.View;

/**
 * The text of an item that a search looks through: what people and tools said, not what the model
 * thought. Stateless and thread-safe.
 */
public final class SearchText {
  private SearchText() {}

  /** The searchable text; empty when the item has none. */
  public static String of(Item item) {
    View view = item.view();
    if (view instanceof View.Message message) {
      return message.text();
    }
    if (view instanceof View.FunctionCall call) {
      return call.name() + " " + call.arguments();
    }
    return view instanceof View.FunctionCallOutput output ? output.text() : "";
  }
}
