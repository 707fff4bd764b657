package dev.clew.agent;

import dev.clew.Item;
import dev.clew.Part;
import dev.clew.json.JsonObject;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An output of a tool that is more than text: it has images or other parts, or says that the call
 * failed. Immutable.
 *
 * @param parts as the model gets them
 * @param failed whether the tool could not do what it was asked; the model reads why in the parts
 */
public record ToolOutput(List<Part> parts, boolean failed) {
  /** Makes the list unmodifiable. */
  public ToolOutput {
    parts = List.copyOf(parts);
  }

  /** A text. */
  public static ToolOutput of(String text, boolean failed) {
    return new ToolOutput(List.of(Part.inputText(text)), failed);
  }

  /** The texts among the parts. */
  public String text() {
    return parts.stream()
        .filter(Part.Text.class::isInstance)
        .map(part -> ((Part.Text) part).text())
        .collect(Collectors.joining("\n"));
  }

  Item item(String callId) {
    if (parts.stream().allMatch(Part.Text.class::isInstance)) {
      return Item.functionCallOutput(callId, text());
    }
    return Item.stored(
        new JsonObject()
            .put("type", "function_call_output")
            .put("call_id", callId)
            .array("output", parts.stream().map(Part::json).toList())
            .json());
  }
}
