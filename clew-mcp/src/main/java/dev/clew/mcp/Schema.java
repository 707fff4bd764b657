package dev.clew.mcp;

import dev.clew.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks the arguments of a call as the JSON Schema of its tool says, in sentences that a model can
 * act on. Immutable.
 */
record Schema(Map<String, Map<String, Object>> properties, List<String> required) {

  @SuppressWarnings("unchecked")
  static Schema of(Map<String, Object> json) {
    return new Schema(
        (Map<String, Map<String, Object>>) Objects.requireNonNull(json.get("properties")),
        (List<String>) Objects.requireNonNull(json.get("required")));
  }

  /** The arguments of a call; null counts as absent. */
  Arguments read(Map<String, String> given) {
    Map<String, Object> values = new LinkedHashMap<>();
    given.forEach(
        (name, raw) -> {
          Map<String, Object> property = properties.get(name);
          if (property == null) {
            throw new ToolFailure(
                "There is no argument '"
                    + name
                    + "'; there are "
                    + String.join(", ", properties.keySet())
                    + ".");
          }
          if (!raw.equals("null")) {
            values.put(name, value(name, property, raw));
          }
        });
    for (String name : required) {
      if (!values.containsKey(name)) {
        throw new ToolFailure("The argument " + name + " is missing.");
      }
    }
    return new Arguments(values);
  }

  private static Object value(String name, Map<String, Object> property, String raw) {
    return switch (String.valueOf(property.get("type"))) {
      case "string" -> text(name, property, Json.string(raw));
      case "integer" -> whole(name, property, raw);
      case "boolean" -> flag(name, raw);
      case "array" -> texts(name, property, raw);
      default -> throw new IllegalStateException("tools.json: " + name + " has an unknown type");
    };
  }

  private static String text(String name, Map<String, Object> property, @Nullable String text) {
    if (text == null) {
      throw mustBe(name, "a string");
    }
    if (property.get("enum") instanceof List<?> words && !words.contains(text)) {
      throw mustBe(name, words.stream().map(String::valueOf).collect(Collectors.joining(" or ")));
    }
    if (property.get("maxLength") instanceof Long most && text.length() > most) {
      throw new ToolFailure(name + " has more than " + most + " characters.");
    }
    return text;
  }

  private static Long whole(String name, Map<String, Object> property, String raw) {
    if (!raw.matches("-?\\d{1,18}")) {
      throw mustBe(name, "an integer");
    }
    Long number = Long.valueOf(raw);
    if (property.get("minimum") instanceof Long least
        && property.get("maximum") instanceof Long most
        && (number < least || number > most)) {
      throw mustBe(name, least + " to " + most);
    }
    return number;
  }

  private static Boolean flag(String name, String raw) {
    if (!raw.equals("true") && !raw.equals("false")) {
      throw mustBe(name, "true or false");
    }
    return raw.equals("true");
  }

  private static List<String> texts(String name, Map<String, Object> property, String raw) {
    List<String> elements = raw.startsWith("[") ? Json.elements(raw) : List.of();
    if (!raw.startsWith("[") || elements.stream().anyMatch(each -> Json.string(each) == null)) {
      throw mustBe(name, "a list of strings");
    }
    List<String> texts = elements.stream().map(Json::string).map(String::valueOf).toList();
    if (property.get("maxItems") instanceof Long most && texts.size() > most) {
      throw new ToolFailure(name + " has more than " + most + " elements.");
    }
    return texts;
  }

  private static ToolFailure mustBe(String name, String what) {
    return new ToolFailure(name + " must be " + what + ".");
  }
}
