package dev.clew.server.internal.completions;

import dev.clew.Item;
import dev.clew.Part;
import dev.clew.Role;
import dev.clew.View;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.json.UncheckedJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Items as the messages of a stored completion. Stateless. What the assistant says at once is one
 * message.
 */
final class ItemMessages {
  private final List<JsonObject> messages = new ArrayList<>();
  private final List<Item> speech = new ArrayList<>();

  private ItemMessages() {}

  static List<JsonObject> of(List<Item> items) {
    ItemMessages all = new ItemMessages();
    items.forEach(all::add);
    all.endSpeech();
    return all.messages;
  }

  private void add(Item item) {
    View view = item.view();
    if (view instanceof View.Message message && message.role() != Role.ASSISTANT) {
      endSpeech();
      messages.add(heard(message));
    } else if (view instanceof View.FunctionCallOutput output) {
      endSpeech();
      messages.add(result(output.callId(), output.text()));
    } else if (item.type().equals("custom_tool_call_output")) {
      endSpeech();
      Map<String, String> fields = UncheckedJson.fields(item.json());
      messages.add(result(text(fields, "call_id"), text(fields, "output")));
    } else if (view instanceof View.Compaction compaction && compaction.summary().isPresent()) {
      endSpeech();
      messages.add(message("system", compaction.summary().get()));
    } else {
      speech.add(item);
    }
  }

  private static String text(Map<String, String> fields, String name) {
    String value = Json.string(fields.get(name));
    return value == null ? "" : value;
  }

  private static JsonObject message(String role, String content) {
    return new JsonObject()
        .put("role", role)
        .put("content", content)
        .put("refusal", (Object) null)
        .put("content_parts", (Object) null);
  }

  private static JsonObject result(String callId, String text) {
    return message("tool", text).put("tool_call_id", callId);
  }

  private static JsonObject heard(View.Message message) {
    boolean plain = message.content().stream().allMatch(Part.Text.class::isInstance);
    if (plain) {
      return message(message.role().wire(), message.text());
    }
    List<JsonObject> parts = new ArrayList<>();
    for (Part part : message.content()) {
      if (part instanceof Part.Text words) {
        parts.add(new JsonObject().put("type", "text").put("text", words.text()));
      } else if (part instanceof Part.Image image && image.url().isPresent()) {
        parts.add(
            new JsonObject()
                .put("type", "image_url")
                .put(
                    "image_url",
                    new JsonObject()
                        .put("url", image.url().get())
                        .put("detail", image.detail().orElse("auto"))));
      }
    }
    return new JsonObject()
        .put("role", message.role().wire())
        .put("content", message.text())
        .put("refusal", (Object) null)
        .putAll("content_parts", parts);
  }

  private void endSpeech() {
    if (!speech.isEmpty()) {
      Completion said = Completion.of(speech, false, Optional.empty());
      if (said.content() != null || said.refusal() != null || !said.calls().isEmpty()) {
        messages.add(said.message().put("content_parts", (Object) null));
      }
      speech.clear();
    }
  }
}
