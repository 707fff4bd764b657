package dev.clew.openai;

import dev.clew.Item;
import dev.clew.Part;
import dev.clew.View;
import dev.clew.agent.HiddenItems;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Stored items as the Responses API takes them. Nearly all go as they are; the short part types
 * {@code text}, {@code image} and {@code audio}, which it does not know, are written in its words.
 * Reasoning of other providers and the own items of other frameworks are left out. Stateless.
 */
final class ResponsesInput {
  private static final List<String> SHORT_TYPES =
      List.of("\"type\":\"text\"", "\"type\":\"image\"", "\"type\":\"audio\"");

  private ResponsesInput() {}

  /** The JSON text of each item that can be sent. */
  static List<String> of(List<Item> items) {
    List<String> sent = new ArrayList<>(items.size());
    for (Item item : items) {
      of(item).ifPresent(sent::add);
    }
    return sent;
  }

  static Optional<String> of(Item item) {
    return switch (item.type()) {
      case "message" -> Optional.of(withLongParts(item, "content"));
      case "function_call_output" -> Optional.of(withLongParts(item, "output"));
      case "reasoning" -> isKnownToServer(item) ? Optional.of(item.json()) : Optional.empty();
      case "compaction", "compaction_summary" -> Optional.of(compaction(item));
      default -> // types that OpenAI adds must get through
          HiddenItems.isOfFramework(item) ? Optional.empty() : Optional.of(item.json());
    };
  }

  /** Reasoning of another provider has neither, and would be refused. */
  static boolean isKnownToServer(Item reasoning) {
    return reasoning.id().isPresent()
        || (reasoning.view() instanceof View.Reasoning view && view.encryptedContent().isPresent());
  }

  /** A summary that a model of ours wrote is text to every other model. */
  private static String compaction(Item item) {
    if (item.view() instanceof View.Compaction view
        && view.encryptedContent().isEmpty()
        && view.summary().isPresent()) {
      return Item.developer(summary(view.summary().get())).json();
    }
    return item.json();
  }

  static String summary(String text) {
    return "Summary of the conversation until here:\n" + text;
  }

  private static String withLongParts(Item item, String field) {
    String json = item.json();
    if (SHORT_TYPES.stream().noneMatch(json::contains)) {
      return json;
    }
    Map<String, String> fields = Json.fields(json);
    String parts = fields.get(field);
    if (parts == null || parts.charAt(0) != '[') {
      return json;
    }
    boolean assistant = "assistant".equals(Json.string(fields.get("role")));
    JsonObject out = new JsonObject();
    fields.forEach(
        (name, raw) ->
            out.raw(
                name,
                name.equals(field)
                    ? JsonObject.array(
                        Json.elements(parts).stream()
                            .map(part -> part.charAt(0) == '{' ? part(part, assistant) : part)
                            .toList())
                    : raw));
    return out.json();
  }

  private static String part(String json, boolean assistant) {
    Map<String, String> fields = Json.fields(json);
    String type = Json.string(fields.get("type"));
    String textType = assistant ? "output_text" : "input_text";
    if (type == null) {
      return json;
    }
    return switch (type) {
      case "text" -> retyped(fields, textType);
      case "image" -> image((Part.Image) Part.parse(json), assistant);
      case "audio" -> audio((Part.Audio) Part.parse(json), textType, assistant);
      default -> json;
    };
  }

  private static String retyped(Map<String, String> fields, String type) {
    JsonObject out = new JsonObject();
    fields.forEach((name, raw) -> out.raw(name, name.equals("type") ? Json.quote(type) : raw));
    return out.json();
  }

  private static String image(Part.Image image, boolean assistant) {
    if (assistant) { // the API takes no images in what a model said
      return text("output_text", Media.describe(image));
    }
    JsonObject out = new JsonObject().put("type", "input_image");
    image.url().ifPresent(url -> out.put("image_url", url));
    image.fileId().ifPresent(id -> out.put("file_id", id));
    return out.put("detail", image.detail().orElse("auto")).json();
  }

  private static String audio(Part.Audio audio, String textType, boolean assistant) {
    Optional<Media.Sound> sound = assistant ? Optional.empty() : Media.sound(audio);
    return sound
        .map(
            found ->
                new JsonObject().put("type", "input_audio").raw("input_audio", found.json()).json())
        .orElseGet(() -> text(textType, Media.describe(audio)));
  }

  private static String text(String type, String text) {
    return new JsonObject().put("type", type).put("text", text).json();
  }
}
