package dev.clew.server.internal.wire;

import dev.clew.Item;
import dev.clew.json.Json;
import dev.clew.json.JsonText;
import dev.clew.json.UncheckedJson;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the items in a request whose JSON was checked already, with OpenAI's error messages.
 * Stateless. Items of unknown types are kept as they are.
 */
public final class GivenItems {
  private static final int MOST_BYTES = 10 << 20;
  private static final List<String> ROLES = List.of("assistant", "system", "developer", "user");
  private static final List<String> SAID = List.of("output_text", "refusal");
  private static final List<String> HEARD = List.of("input_text", "input_image", "input_file");
  private static final Map<String, Set<String>> ITEM_FIELDS =
      Map.of(
          "message", Set.of("type", "id", "status", "role", "content", "phase"),
          "function_call",
              Set.of("type", "id", "status", "call_id", "name", "arguments", "namespace", "caller"),
          "function_call_output",
              Set.of("type", "id", "status", "call_id", "output", "name", "namespace", "caller"),
          "reasoning", Set.of("type", "id", "status", "summary", "content", "encrypted_content"),
          "compaction", Set.of("type", "id", "encrypted_content"),
          "item_reference", Set.of("type", "id"));
  private static final Map<String, Set<String>> PART_FIELDS =
      Map.of(
          "input_text", Set.of("type", "text", "prompt_cache_breakpoint"),
          "input_image", Set.of("type", "image_url", "file_id", "detail"),
          "input_file", Set.of("type", "file_id", "filename", "file_data", "file_url", "detail"),
          "output_text", Set.of("type", "text", "annotations", "logprobs"),
          "refusal", Set.of("type", "refusal"));

  private GivenItems() {}

  /** How many items one request to the Conversations API may bring. */
  public static int most(boolean strict) {
    return strict ? 20 : 1000;
  }

  /**
   * The items of a JSON array.
   *
   * @param name the parameter, for messages
   * @param strict refuses unknown fields of known types
   */
  public static List<Item> read(String name, String array, int most, boolean strict) {
    if (!array.startsWith("[")) {
      throw Problem.wrongType(name, "an array of items", array);
    }
    List<String> texts = UncheckedJson.elements(array);
    if (texts.size() > most) {
      throw Problem.invalid(
          "array_above_max_length",
          name,
          String.format(
              "Invalid '%s': array too long. Expected an array with maximum length %d,"
                  + " but got an array with length %d instead.",
              name, most, texts.size()));
    }
    List<Item> items = new ArrayList<>(texts.size());
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < texts.size(); i++) {
      String place = name + "[" + i + "]";
      Item item = item(place, texts.get(i));
      if (item.id().isPresent() && !ids.add(item.id().get())) {
        throw Problem.invalid(
            "invalid_value",
            place + ".id",
            "Duplicate item found with id " + item.id().get() + ". Remove it and try again.");
      }
      items.add(item);
    }
    if (strict) {
      checkKnown(name, texts, ITEM_FIELDS);
    }
    return items;
  }

  private static Item item(String place, String text) {
    Fields fields = Fields.at(place, text);
    check(place, fields);
    // UTF-8 has at most three bytes per char, so most texts need no exact count.
    long bytes = text.length() > MOST_BYTES / 3 ? JsonText.utf8Length(text) : 0;
    if (bytes > MOST_BYTES) {
      throw Problem.invalid(
          "invalid_item", place, "has " + bytes + " bytes, the limit is " + MOST_BYTES);
    }
    String otherwise = string(fields, "role").isPresent() ? "message" : "";
    return Item.checked(text, string(fields, "type").orElse(otherwise), string(fields, "id"));
  }

  private static Optional<String> string(Fields fields, String name) {
    return fields.given(name).map(Json::string);
  }

  private static void check(String place, Fields item) {
    if (item.has("type") ? is(item, "message") : item.given("role").isPresent()) {
      message(item);
      return;
    }
    switch (item.needText("type")) {
      case "function_call" -> item.needTexts("call_id", "name", "arguments");
      case "function_call_output" -> {
        item.needTexts("call_id");
        item.needRaw("output");
      }
      case "compaction" -> item.needTexts("encrypted_content");
      case "reasoning" -> {
        if (!item.has("id") && !item.has("encrypted_content")) {
          throw Problem.invalid(
              "invalid_item",
              place,
              "Invalid item: a reasoning item needs an id or encrypted_content.");
        }
      }
      default -> {
        // Kept as it is.
      }
    }
  }

  private static boolean is(Fields item, String type) {
    return item.needText("type").equals(type);
  }

  private static void message(Fields item) {
    String role = item.needText("role");
    if (!ROLES.contains(role)) {
      throw Problem.unsupported(item.path("role"), role, ROLES);
    }
    String content = item.needRaw("content");
    if (!content.startsWith("\"") && !content.startsWith("[")) {
      throw Problem.wrongType(item.path("content"), "a string or an array of parts", content);
    }
    if (content.startsWith("[")) {
      boolean assistant = role.equals("assistant");
      List<String> parts = UncheckedJson.elements(content);
      for (int i = 0; i < parts.size(); i++) {
        String place = item.path("content[" + i + "]");
        String type = Fields.at(place, parts.get(i)).needText("type");
        if (assistant ? type.startsWith("input_") : SAID.contains(type)) {
          throw Problem.unsupported(place, type, assistant ? SAID : HEARD);
        }
      }
    }
  }

  private static void checkKnown(
      String name, List<String> texts, Map<String, Set<String>> fieldsOfTypes) {
    for (int i = 0; i < texts.size(); i++) {
      String place = name + "[" + i + "]";
      Fields fields = Fields.at(place, texts.get(i));
      Set<String> known = fieldsOfTypes.get(string(fields, "type").orElse("message"));
      if (known != null) {
        fields.checkKnown(known);
      }
      String content = fields.rawOr("content", "");
      if (fieldsOfTypes == ITEM_FIELDS && content.startsWith("[")) {
        checkKnown(place + ".content", UncheckedJson.elements(content), PART_FIELDS);
      }
    }
  }
}
