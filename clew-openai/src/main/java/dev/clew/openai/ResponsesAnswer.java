package dev.clew.openai;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.agent.ModelResponse;
import dev.clew.agent.Usage;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.openai.ApiFailure.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what the Responses API answers. Stateless. */
final class ResponsesAnswer {
  private ResponsesAnswer() {}

  /**
   * The answer in a response object.
   *
   * @param seen items that came before it in a stream, for servers that do not repeat them
   */
  static ModelResponse of(String json, List<String> seen) {
    Map<String, String> fields = Json.fields(json);
    String status = Json.string(fields.get("status"));
    if ("failed".equals(status) || (status == null && isObject(fields.get("error")))) {
      throw error(fields.get("error"));
    }
    if (status != null && !status.equals("completed") && !status.equals("incomplete")) {
      throw new ApiFailure(
          Kind.REFUSED, "answered with a response that is '" + status + "', not completed", null);
    }
    List<String> output = elements(fields.get("output"));
    return new ModelResponse(
        items(output.isEmpty() ? seen : output),
        usage(fields.get("usage")),
        Optional.ofNullable(Json.string(fields.get("id"))),
        Optional.ofNullable(Json.string(object(fields.get("incomplete_details")).get("reason"))));
  }

  /** The failure in an {@code error} object, or in an event of that type. */
  static ApiFailure error(@Nullable String json) {
    Map<String, String> fields = object(json);
    String code = string(fields.get("code"));
    if (code.isEmpty()) {
      code = string(fields.get("type"));
    }
    String message = Json.string(fields.get("message"));
    return new ApiFailure(
        Kind.REFUSED,
        0,
        code,
        "failed: "
            + (message == null ? "it does not say why" : message)
            + (code.isEmpty() ? "" : " [" + code + "]"),
        "",
        null);
  }

  /** The fields of an object; none if it is something else. */
  static Map<String, String> object(@Nullable String json) {
    return json != null && json.startsWith("{") ? Json.fields(json) : Map.of();
  }

  static boolean isObject(@Nullable String json) {
    return json != null && json.startsWith("{");
  }

  /** The same object without a field. */
  static JsonObject without(String field, String json) {
    JsonObject out = new JsonObject();
    Json.fields(json)
        .forEach(
            (name, raw) -> {
              if (!name.equals(field)) {
                out.raw(name, raw);
              }
            });
    return out;
  }

  /** A text; empty if it is something else. */
  static String string(@Nullable String json) {
    return Optional.ofNullable(Json.string(json)).orElse("");
  }

  static List<String> elements(@Nullable String json) {
    return json != null && json.startsWith("[") ? Json.elements(json) : List.of();
  }

  static List<Item> items(List<String> texts) {
    List<Item> items = new ArrayList<>(texts.size());
    for (String text : texts) {
      try {
        items.add(Item.stored(text));
      } catch (ClewException.InvalidItem e) {
        throw ApiFailure.malformed("an item that is none (" + e.getMessage() + ")");
      }
    }
    return items;
  }

  static Usage usage(@Nullable String json) {
    return usage(json, "input_tokens", "output_tokens");
  }

  /**
   * Reads usage; details are in fields of the same names and {@code _details}. A server that does
   * not count gives none.
   */
  static Usage usage(@Nullable String json, String input, String output) {
    Map<String, String> fields = object(json);
    return new Usage(
        1,
        number(fields, input),
        number(object(fields.get(input + "_details")), "cached_tokens"),
        number(fields, output),
        number(object(fields.get(output + "_details")), "reasoning_tokens"));
  }

  private static long number(Map<String, String> fields, String name) {
    try {
      return Long.parseLong(fields.getOrDefault(name, "0"));
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
