package dev.clew.server.internal.responses;

import dev.clew.Item;
import dev.clew.agent.Usage;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.json.UncheckedJson;
import dev.clew.server.internal.hosted.HostedServers;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.wire.ConversationIds;
import dev.clew.server.internal.wire.WireItems;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The response object with all fields that clients require. Stateless. It is written once when a
 * response begins, and later changes replace fields in that text.
 */
final class ResponseJson {
  private static final String PRESENCE = "presence_penalty";
  private static final String FREQUENCY = "frequency_penalty";

  private ResponseJson() {}

  static String begun(String id, CreateRequest request, long createdAt) {
    Fields fields = request.fields();
    JsonObject out =
        new JsonObject()
            .put("id", id)
            .put("object", "response")
            .put("created_at", createdAt)
            .put("status", request.background() ? "queued" : "in_progress")
            .put("background", request.background())
            .put("completed_at", (Object) null)
            .raw("conversation", conversation(request))
            .put("error", (Object) null)
            .put("incomplete_details", (Object) null)
            .raw("instructions", fields.rawOr("instructions", "null"))
            .raw("max_output_tokens", fields.rawOr("max_output_tokens", "null"))
            .raw("max_tool_calls", fields.rawOr("max_tool_calls", "null"))
            .put("model", request.model())
            .raw("output", "[]")
            .raw(PRESENCE, fields.rawOr(PRESENCE, "0"))
            .raw(FREQUENCY, fields.rawOr(FREQUENCY, "0"))
            .raw("parallel_tool_calls", fields.rawOr("parallel_tool_calls", "true"))
            .put("previous_response_id", request.previous().orElse(null))
            .raw("prompt_cache_key", fields.rawOr("prompt_cache_key", "null"))
            .raw("reasoning", reasoning(fields))
            .raw("safety_identifier", fields.rawOr("safety_identifier", "null"))
            .raw("service_tier", fields.rawOr("service_tier", "\"auto\""))
            .put("store", request.store())
            .raw("temperature", fields.rawOr("temperature", "1.0"))
            .raw("text", text(fields))
            .raw("tool_choice", fields.rawOr("tool_choice", "\"auto\""))
            .array("tools", fields.objects("tools").isEmpty() ? List.of() : tools(fields))
            .raw("top_logprobs", fields.rawOr("top_logprobs", "0"))
            .raw("top_p", fields.rawOr("top_p", "1.0"))
            .put("truncation", request.truncate() ? "auto" : "disabled")
            .put("usage", (Object) null)
            .raw("user", fields.rawOr("user", "null"))
            .raw("metadata", fields.rawOr("metadata", "{}"));
    return out.toString();
  }

  private static String conversation(CreateRequest request) {
    return request
        .conversation()
        .map(id -> new JsonObject().put("id", id).toString())
        .orElse("null");
  }

  private static List<String> tools(Fields fields) {
    return fields.array("tools").stream()
        .map(
            tool -> {
              Map<String, String> all = UncheckedJson.fields(tool);
              if ("function".equals(Json.string(all.get("type")))) {
                all.putIfAbsent("description", "null");
                all.putIfAbsent("parameters", "{}");
                all.putIfAbsent("strict", "true");
              } else if ("mcp".equals(Json.string(all.get("type")))) {
                HostedServers.redact(all);
              }
              return WireItems.object(all);
            })
        .toList();
  }

  private static String reasoning(Fields fields) {
    Map<String, String> given = UncheckedJson.fields(fields.rawOr("reasoning", "{}"));
    given.putIfAbsent("effort", "null");
    given.putIfAbsent("summary", "null");
    return WireItems.object(given);
  }

  private static String text(Fields fields) {
    Map<String, String> given = UncheckedJson.fields(fields.rawOr("text", "{}"));
    given.putIfAbsent("format", "{\"type\":\"text\"}");
    given.putIfAbsent("verbosity", "\"medium\"");
    return WireItems.object(given);
  }

  private static String with(String response, Map<String, String> changes) {
    Map<String, String> fields = UncheckedJson.fields(response);
    fields.putAll(changes);
    return WireItems.object(fields);
  }

  /** A stored response as it would be stored now, with fields that responses did not have then. */
  static String current(String response) {
    Map<String, String> fields = UncheckedJson.fields(response);
    if (!"response".equals(Json.string(fields.get("object")))
        || (fields.containsKey(PRESENCE) && fields.containsKey(FREQUENCY))) {
      return response;
    }
    fields.putIfAbsent(PRESENCE, "0");
    fields.putIfAbsent(FREQUENCY, "0");
    fields.put(
        "output", JsonObject.array(output(response).stream().map(ResponseJson::item).toList()));
    return WireItems.object(fields);
  }

  private static String item(String json) {
    Item item = Item.trusted(json);
    return WireItems.json(item, item.id().orElseGet(() -> WireItems.newId(item.type())));
  }

  static String inProgress(String response) {
    return with(response, Map.of("status", "\"in_progress\""));
  }

  /** A finished response whose turn is not stored yet, shown as still running. */
  static String unfinished(String response) {
    return with(
        response,
        Map.of(
            "status", "\"in_progress\"",
            "completed_at", "null",
            "incomplete_details", "null",
            "output", "[]",
            "usage", "null"));
  }

  /**
   * The end of a response that was answered.
   *
   * @param cut why the model's answer was cut short, if it says so
   */
  static String finished(
      String response, List<String> output, Usage usage, long at, Optional<String> cut) {
    boolean incomplete =
        cut.isPresent() || (!output.isEmpty() && isIncomplete(output.get(output.size() - 1)));
    return with(
        response,
        Map.of(
            "status",
            incomplete ? "\"incomplete\"" : "\"completed\"",
            "completed_at",
            incomplete ? "null" : String.valueOf(at),
            "incomplete_details",
            !incomplete
                ? "null"
                : cut.equals(Optional.of("content_filter"))
                    ? "{\"reason\":\"content_filter\"}"
                    : "{\"reason\":\"max_output_tokens\"}",
            "output",
            JsonObject.array(output),
            "service_tier",
            "\"default\"",
            "usage",
            usage(usage)));
  }

  private static boolean isIncomplete(String item) {
    return "incomplete".equals(Json.string(UncheckedJson.fields(item).get("status")));
  }

  static String failed(String response, String code, String message) {
    String error = new JsonObject().put("code", code).put("message", message).toString();
    return with(response, Map.of("status", "\"failed\"", "error", error));
  }

  static String cancelled(String response) {
    return with(response, Map.of("status", "\"cancelled\""));
  }

  /** A response with an output. */
  static String output(String response, List<String> items) {
    return with(response, Map.of("output", JsonObject.array(items)));
  }

  static String usage(Usage usage) {
    return new JsonObject()
        .put("input_tokens", usage.inputTokens())
        .put(
            "input_tokens_details",
            new JsonObject()
                .put("cached_tokens", usage.cachedTokens())
                .put("cache_write_tokens", 0))
        .put("output_tokens", usage.outputTokens())
        .put(
            "output_tokens_details",
            new JsonObject().put("reasoning_tokens", usage.reasoningTokens()))
        .put("total_tokens", usage.totalTokens())
        .toString();
  }

  /** The usage for the notes of a turn; empty if there is none. */
  static Map<String, Object> tokens(String response) {
    String usage = UncheckedJson.fields(response).getOrDefault("usage", "null");
    if (usage.equals("null")) {
      return Map.of();
    }
    Map<String, String> fields = UncheckedJson.fields(usage);
    Map<String, String> input =
        UncheckedJson.fields(fields.getOrDefault("input_tokens_details", "{}"));
    Map<String, Object> tokens = new LinkedHashMap<>();
    tokens.put("input_tokens", Long.parseLong(fields.getOrDefault("input_tokens", "0")));
    long cached = Long.parseLong(input.getOrDefault("cached_tokens", "0"));
    if (cached > 0) {
      tokens.put("cached_tokens", cached);
    }
    tokens.put("output_tokens", Long.parseLong(fields.getOrDefault("output_tokens", "0")));
    return tokens;
  }

  /** The model as the client named it. */
  static String model(String response) {
    return Optional.ofNullable(Json.string(UncheckedJson.fields(response).get("model"))).orElse("");
  }

  static String status(String response) {
    return Optional.ofNullable(Json.string(UncheckedJson.fields(response).get("status")))
        .orElse("");
  }

  static List<String> output(String response) {
    return UncheckedJson.elements(UncheckedJson.fields(response).getOrDefault("output", "[]"));
  }

  static String newId() {
    return ConversationIds.random("resp_", 50);
  }
}
