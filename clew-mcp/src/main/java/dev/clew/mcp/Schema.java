package dev.clew.mcp;

import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The arguments that a tool takes: what clients are told, and what is checked. Immutable. */
final class Schema {
  private static final int MOST_WORDS = 100;

  private enum Kind {
    TEXT("string", "a string"),
    WHOLE("integer", "an integer"),
    FLAG("boolean", "true or false"),
    TEXTS("array", "a list of strings");

    final String type;
    final String words;

    Kind(String type, String words) {
      this.type = type;
      this.words = words;
    }
  }

  /** One argument; a string has {@code most} characters, or is one of the {@code values}. */
  private record Argument(
      Kind kind, boolean required, long least, long most, List<String> values, String description) {
    JsonObject json() {
      JsonObject json = new JsonObject().put("type", kind.type).put("description", description);
      switch (kind) {
        case WHOLE -> {
          if (least != Long.MIN_VALUE) {
            json.put("minimum", least).put("maximum", most);
          }
        }
        case TEXT -> {
          if (values.isEmpty()) {
            json.put("maxLength", most);
          } else {
            json.put("enum", values);
          }
        }
        case TEXTS -> json.raw("items", "{\"type\":\"string\"}").put("maxItems", MOST_WORDS);
        default -> {}
      }
      return json;
    }

    Object read(String name, String raw) {
      Object value =
          value(raw).orElseThrow(() -> new ToolFailure(name + " must be " + kind.words + "."));
      if (value instanceof Long number && (number < least || number > most)) {
        throw new ToolFailure(name + " must be " + least + " to " + most + ".");
      }
      if (value instanceof String text && !values.isEmpty() && !values.contains(text)) {
        throw new ToolFailure(name + " must be " + String.join(" or ", values) + ".");
      }
      if (value instanceof String text && text.length() > most) {
        throw new ToolFailure(name + " has more than " + most + " characters.");
      }
      return value;
    }

    private Optional<Object> value(String raw) {
      return switch (kind) {
        case TEXT -> Optional.ofNullable(Json.string(raw));
        case FLAG ->
            raw.equals("true") || raw.equals("false")
                ? Optional.of(raw.equals("true"))
                : Optional.empty();
        case WHOLE ->
            raw.matches("-?\\d{1,18}") ? Optional.of(Long.parseLong(raw)) : Optional.empty();
        case TEXTS -> raw.startsWith("[") ? texts(Json.elements(raw)) : Optional.empty();
      };
    }

    private static Optional<Object> texts(List<String> elements) {
      List<String> texts = new ArrayList<>();
      for (String element : elements) {
        String text = Json.string(element);
        if (text == null || texts.size() == MOST_WORDS) {
          return Optional.empty();
        }
        texts.add(text);
      }
      return Optional.of(texts);
    }
  }

  private final Map<String, Argument> arguments = new LinkedHashMap<>();

  Schema text(String name, int most, String description) {
    return add(name, Kind.TEXT, 0, most, List.of(), description);
  }

  Schema word(String name, List<String> values, String description) {
    return add(name, Kind.TEXT, 0, Integer.MAX_VALUE, values, description);
  }

  Schema whole(String name, long least, long most, String description) {
    return add(name, Kind.WHOLE, least, most, List.of(), description);
  }

  /** A position of an entry, which may be negative. */
  Schema position(String name, String description) {
    return add(name, Kind.WHOLE, Long.MIN_VALUE, Long.MAX_VALUE, List.of(), description);
  }

  Schema flag(String name, String description) {
    return add(name, Kind.FLAG, 0, 0, List.of(), description);
  }

  Schema texts(String name, String description) {
    return add(name, Kind.TEXTS, 0, 0, List.of(), description);
  }

  private Schema add(
      String name, Kind kind, long least, long most, List<String> values, String description) {
    arguments.put(name, new Argument(kind, false, least, most, values, description));
    return this;
  }

  /** Requires these, which were added before. */
  Schema require(String... names) {
    for (String name : names) {
      arguments.computeIfPresent(
          name, (same, a) -> new Argument(a.kind, true, a.least, a.most, a.values, a.description));
    }
    return this;
  }

  String json() {
    JsonObject properties = new JsonObject();
    arguments.forEach((name, argument) -> properties.put(name, argument.json()));
    List<String> required = new ArrayList<>();
    arguments.forEach(
        (name, argument) -> {
          if (argument.required()) {
            required.add(name);
          }
        });
    return new JsonObject()
        .put("type", "object")
        .put("properties", properties)
        .put("required", required)
        .put("additionalProperties", false)
        .toString();
  }

  /** The arguments of a call; null counts as absent. */
  Arguments read(Map<String, String> raw) {
    Map<String, Object> values = new LinkedHashMap<>();
    raw.forEach(
        (name, value) -> {
          Argument argument = arguments.get(name);
          if (argument == null) {
            throw new ToolFailure(
                "There is no argument '"
                    + name
                    + "'; there are "
                    + String.join(", ", arguments.keySet())
                    + ".");
          }
          if (!value.equals("null")) {
            values.put(name, argument.read(name, value));
          }
        });
    arguments.forEach(
        (name, argument) -> {
          if (argument.required() && !values.containsKey(name)) {
            throw new ToolFailure("The argument " + name + " is missing.");
          }
        });
    return new Arguments(values);
  }
}
