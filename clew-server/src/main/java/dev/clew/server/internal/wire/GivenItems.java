package dev.clew.server.internal.wire;

import dev.clew.Item;
import dev.clew.json.Json;
import dev.clew.json.JsonText;
import dev.clew.json.UncheckedJson;
import dev.clew.server.internal.http.Problem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the items that a client sends, in a body that was checked to be JSON within our limits, and
 * says in OpenAI's words what is wrong with them. Stateless. Types that nobody knows yet are kept
 * as they are.
 */
public final class GivenItems {
  private static final int MOST_BYTES = 10 << 20;
  private static final List<String> SAID = List.of("output_text", "refusal");
  private static final List<String> ROLES = List.of("assistant", "system", "developer", "user");

  private static final int MOST = 1000;
  private static final int MOST_STRICT = 20;

  private GivenItems() {}

  /** How many items one request may bring. */
  public static int most(boolean strict) {
    return strict ? MOST_STRICT : MOST;
  }

  /**
   * The items of a JSON array.
   *
   * @param name the parameter, for messages
   * @param most how many there may be
   */
  public static List<Item> read(String name, String array, int most) {
    if (!array.startsWith("[")) {
      throw wrongType(name, "an array of items", array);
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
    return items;
  }

  private static Item item(String place, String text) {
    if (!text.startsWith("{")) {
      throw wrongType(place, "an object", text);
    }
    Map<String, String> fields = UncheckedJson.fields(text);
    check(place, fields);
    // Bytes are at most three times the chars, so most texts need no exact count.
    long bytes = text.length() > MOST_BYTES / 3 ? JsonText.utf8Length(text) : 0;
    if (bytes > MOST_BYTES) {
      throw Problem.invalid(
          "invalid_item", place, "has " + bytes + " bytes, the limit is " + MOST_BYTES);
    }
    String type = Json.string(fields.get("type"));
    String otherwise = Json.string(fields.get("role")) == null ? "" : "message";
    return Item.checked(
        text, type == null ? otherwise : type, Optional.ofNullable(Json.string(fields.get("id"))));
  }

  private static void check(String place, Map<String, String> fields) {
    String type = Json.string(fields.get("type"));
    if (isNull(fields.get("type")) ? fields.containsKey("role") : "message".equals(type)) {
      message(place, fields);
    } else if (type == null) {
      throw isNull(fields.get("type"))
          ? missing(place + ".type")
          : wrongType(place + ".type", "a string", String.valueOf(fields.get("type")));
    } else {
      switch (type) {
        case "function_call" -> texts(place, fields, "call_id", "name", "arguments");
        case "function_call_output" -> {
          texts(place, fields, "call_id");
          need(place, fields, "output");
        }
        case "compaction" -> texts(place, fields, "encrypted_content");
        case "reasoning" -> {
          if (isNull(fields.get("id")) && isNull(fields.get("encrypted_content"))) {
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
  }

  private static void message(String place, Map<String, String> fields) {
    texts(place, fields, "role");
    String role = Json.string(fields.get("role"));
    if (!ROLES.contains(role)) {
      throw Problem.invalid(
          "invalid_value",
          place + ".role",
          "Invalid value: '"
              + role
              + "'. Supported values are: 'assistant', 'system', 'developer', and 'user'.");
    }
    String content = need(place, fields, "content");
    if (!content.startsWith("\"") && !content.startsWith("[")) {
      throw wrongType(place + ".content", "a string or an array of parts", content);
    }
    if (content.startsWith("[")) {
      List<String> parts = UncheckedJson.elements(content);
      for (int i = 0; i < parts.size(); i++) {
        String part = place + ".content[" + i + "]";
        if (!parts.get(i).startsWith("{")) {
          throw wrongType(part, "an object", parts.get(i));
        }
        Map<String, String> inPart = UncheckedJson.fields(parts.get(i));
        texts(part, inPart, "type");
        checkSide(part, "assistant".equals(role), String.valueOf(Json.string(inPart.get("type"))));
      }
    }
  }

  /** What models say and what they are told are parts of different types. */
  private static void checkSide(String place, boolean assistant, String type) {
    if (assistant ? type.startsWith("input_") : SAID.contains(type)) {
      throw Problem.invalid(
          "invalid_value",
          place,
          "Invalid value: '"
              + type
              + "'. Supported values are: "
              + (assistant
                  ? "'output_text' and 'refusal'."
                  : "'input_text', 'input_image', and 'input_file'."));
    }
  }

  private static void texts(String place, Map<String, String> fields, String... names) {
    for (String name : names) {
      String value = need(place, fields, name);
      if (!value.startsWith("\"")) {
        throw wrongType(place + "." + name, "a string", value);
      }
    }
  }

  private static String need(String place, Map<String, String> fields, String name) {
    String value = fields.get(name);
    if (value == null || value.equals("null")) {
      throw missing(place + "." + name);
    }
    return value;
  }

  /** A parameter that must be there. */
  public static Problem missing(String name) {
    return Problem.invalid(
        "missing_required_parameter", name, "Missing required parameter: '" + name + "'.");
  }

  /** A parameter of the wrong type. */
  public static Problem wrongType(String name, String expected, String got) {
    return Problem.invalid(
        "invalid_type",
        name,
        String.format(
            "Invalid type for '%s': expected %s, but got %s instead.", name, expected, kind(got)));
  }

  private static String kind(String raw) {
    return switch (raw.charAt(0)) {
      case '{' -> "an object";
      case '[' -> "an array";
      case '"' -> "a string";
      case 't', 'f' -> "a boolean";
      case 'n' -> "null";
      default -> "a number";
    };
  }

  /** Whether a field is absent or null. */
  public static boolean isNull(@Nullable String raw) {
    return raw == null || raw.equals("null");
  }
}
