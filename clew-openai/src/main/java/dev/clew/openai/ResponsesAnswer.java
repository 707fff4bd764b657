package dev.clew.openai;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.agent.ModelResponse;
import dev.clew.agent.Usage;
import dev.clew.internal.Json;
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
        Optional.ofNullable(Json.string(fields.get("id"))));
  }

  /** The failure in an {@code error} object, or in an event of that type. */
  static ApiFailure error(@Nullable String json) {
    Map<String, String> fields = isObject(json) ? Json.fields(json) : Map.of();
    String code = Optional.ofNullable(Json.string(fields.get("code"))).orElse("");
    if (code.isEmpty()) {
      code = Optional.ofNullable(Json.string(fields.get("type"))).orElse("");
    }
    String message = Json.string(fields.get("message"));
    return new ApiFailure(
        Kind.REFUSED,
        0,
        code,
        "failed: "
            + (message == null ? "it does not say why" : message)
            + (code.isEmpty() ? "" : " [" + code + "]"),
        null);
  }

  static boolean isObject(@Nullable String json) {
    return json != null && json.startsWith("{");
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
    return isObject(json)
        ? usage(json, "input_tokens", "output_tokens")
        : new Usage(1, 0, 0, 0, 0); // not every server counts
  }

  /** Reads usage; details are in fields of the same names and {@code _details}. */
  static Usage usage(String json, String input, String output) {
    Map<String, String> fields = Json.fields(json);
    return new Usage(
        1,
        number(fields, input),
        detail(fields, input, "cached_tokens"),
        number(fields, output),
        detail(fields, output, "reasoning_tokens"));
  }

  private static long detail(Map<String, String> fields, String name, String detail) {
    String details = fields.get(name + "_details");
    return isObject(details) ? number(Json.fields(details), detail) : 0;
  }

  private static long number(Map<String, String> fields, String name) {
    try {
      return Long.parseLong(fields.getOrDefault(name, "0"));
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
