package dev.clew.kit;

import dev.clew.Item;
import dev.clew.Part;
import dev.clew.View;
import java.util.List;
import java.util.StringJoiner;

/**
 * The searchable text of an item: what people and tools said, not the model's reasoning. Stateless
 * and thread-safe.
 */
public final class SearchText {
  private SearchText() {}

  /** The searchable text; empty when the item has none. */
  public static String of(Item item) {
    View view = item.view();
    if (view instanceof View.Message message) {
      return join(message.content());
    }
    if (view instanceof View.FunctionCall call) {
      return call.name() + " " + call.arguments();
    }
    return view instanceof View.FunctionCallOutput output ? join(output.output()) : "";
  }

  /**
   * The texts of the parts, kept apart so that the last word of one is not the next one's first.
   */
  private static String join(List<Part> parts) {
    StringJoiner text = new StringJoiner("\n");
    for (Part part : parts) {
      if (part instanceof Part.Text words) {
        text.add(words.text());
      } else if (part instanceof Part.Refusal refusal) {
        text.add(refusal.refusal());
      }
    }
    return text.toString();
  }
}
