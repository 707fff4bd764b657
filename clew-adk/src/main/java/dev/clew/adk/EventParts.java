package dev.clew.adk;

import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The parts of one content, as JSON texts, made into items. Not thread-safe. */
final class EventParts {
  static final String KIND = "as";
  static final String WITH = "with";
  static final String OWN = "own";
  static final String TEXT = "text";
  static final String THOUGHT = "thought";
  static final String SIGNATURE = "thoughtSignature";
  static final String CALL = "functionCall";
  static final String RESPONSE = "functionResponse";
  static final String INLINE = "inlineData";
  static final String FILE = "fileData";

  private final String role;
  private final List<Item> items = new ArrayList<>();
  private final List<String> message = new ArrayList<>();
  private final List<String> rests = new ArrayList<>();

  /** Parts that a user says, or an agent. */
  EventParts(boolean ofUser) {
    this.role = ofUser ? "user" : "assistant";
  }

  void add(String part) {
    Map<String, String> fields = new LinkedHashMap<>(Json.fields(part));
    String kind = kind(fields);
    boolean said = kind.equals(TEXT) || kind.equals(INLINE) || kind.equals(FILE);
    if (!said && !kind.equals(OWN)) {
      endMessage();
    }
    switch (kind) {
      case TEXT -> {
        String type = role.equals("user") ? "input_text" : "output_text";
        message.add(new JsonObject().put("type", type).raw(TEXT, taken(fields, TEXT)).toString());
      }
      case THOUGHT -> items.add(reasoning(fields));
      case CALL -> {
        Map<String, String> call = inner(fields, CALL);
        items.add(Item.functionCall(string(call, "id"), string(call, "name"), taken(call, "args")));
        fields.put(CALL, object(call));
      }
      case RESPONSE -> {
        Map<String, String> response = inner(fields, RESPONSE);
        items.add(Item.functionCallOutput(string(response, "id"), taken(response, "response")));
        fields.put(RESPONSE, object(response));
      }
      case INLINE -> {
        Map<String, String> media = inner(fields, INLINE);
        message.add(EventMedia.inline(media));
        media.remove("data");
        fields.put(INLINE, object(media));
      }
      case FILE -> {
        Map<String, String> media = inner(fields, FILE);
        message.add(EventMedia.file(media));
        media.remove("fileUri");
        fields.put(FILE, object(media));
      }
      default -> {}
    }
    JsonObject rest = new JsonObject().put(KIND, kind);
    rests.add((fields.isEmpty() ? rest : rest.raw(WITH, object(fields))).toString());
  }

  private String kind(Map<String, String> part) {
    if (part.containsKey(TEXT)) {
      return "true".equals(part.get(THOUGHT)) ? THOUGHT : TEXT;
    }
    if (has(part, CALL, "id", "name", "args")) {
      return CALL;
    }
    if (has(part, RESPONSE, "id", "response")) {
      return RESPONSE;
    }
    if (role.equals("user") && has(part, INLINE, "data", "mimeType")) {
      return INLINE;
    }
    if (role.equals("user") && has(part, FILE, "fileUri")) {
      return FILE;
    }
    return OWN;
  }

  private static boolean has(Map<String, String> part, String name, String... required) {
    String value = part.get(name);
    if (value == null || !value.startsWith("{")) {
      return false;
    }
    Map<String, String> fields = Json.fields(value);
    for (String one : required) {
      if (fields.getOrDefault(one, "null").equals("null")) {
        return false;
      }
    }
    return true;
  }

  private static Item reasoning(Map<String, String> part) {
    String summary =
        new JsonObject().put("type", "summary_text").raw(TEXT, taken(part, TEXT)).toString();
    JsonObject item = new JsonObject().put("type", "reasoning").array("summary", List.of(summary));
    part.remove(THOUGHT);
    String signature = part.remove(SIGNATURE);
    if (signature != null) {
      item.raw("encrypted_content", signature);
    }
    return Item.parse(item.toString(), ItemLimits.STORE);
  }

  private void endMessage() {
    if (!message.isEmpty()) {
      items.add(
          Item.parse(
              new JsonObject()
                  .put("type", "message")
                  .put("role", role)
                  .array("content", message)
                  .toString(),
              ItemLimits.STORE));
      message.clear();
    }
  }

  /** The items of all parts. */
  List<Item> items() {
    endMessage();
    return items;
  }

  /** For each part, what kind it is and what the items do not say. */
  List<String> rests() {
    return rests;
  }

  static String object(Map<String, String> fields) {
    JsonObject json = new JsonObject();
    fields.forEach(json::raw);
    return json.toString();
  }

  static Map<String, String> inner(Map<String, String> fields, String name) {
    return new LinkedHashMap<>(Json.fields(Optional.ofNullable(fields.get(name)).orElse("{}")));
  }

  private static String taken(Map<String, String> fields, String name) {
    String value = fields.remove(name);
    if (value == null) {
      throw new IllegalArgumentException("no field " + name);
    }
    return value;
  }

  private static String string(Map<String, String> fields, String name) {
    @Nullable String text = Json.string(taken(fields, name));
    if (text == null) {
      throw new IllegalArgumentException(name + " is no text");
    }
    return text;
  }
}
