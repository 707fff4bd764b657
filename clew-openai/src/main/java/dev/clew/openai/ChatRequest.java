package dev.clew.openai;

import dev.clew.ClewException;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ToolSpec;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request of a run as Chat Completions takes it. Stateless. */
final class ChatRequest {
  /** Written in another way, or without a meaning there. */
  private static final Set<String> NOT_PASSED =
      Set.of(
          "model",
          "instructions",
          "input",
          "messages",
          "stream",
          "tools",
          "truncation",
          "include",
          "background",
          "context_management",
          "max_tool_calls");

  private static final Set<String> CHOICES = Set.of("auto", "none", "required");

  private ChatRequest() {}

  /**
   * The request.
   *
   * @param atOpenAi whether OpenAI itself is asked, which has another name for the longest answer
   */
  static String json(ModelRequest request, String model, boolean stream, boolean atOpenAi) {
    if (request.conversationId().isPresent() || request.previousResponseId().isPresent()) {
      throw new ClewException.NotSupported(
          "Chat Completions keeps no conversations and no responses; use a session, or"
              + " OpenAiModels.builder().responses()");
    }
    JsonObject out =
        new JsonObject()
            .put("model", model)
            .array("messages", ChatMessages.of(request.instructions(), request.input()));
    if (!request.tools().isEmpty()) {
      out.array("tools", request.tools().stream().map(ChatRequest::tool).toList());
    }
    request
        .outputSchema()
        .ifPresent(
            schema ->
                out.put(
                    "response_format",
                    new JsonObject()
                        .put("type", "json_schema")
                        .raw(
                            "json_schema",
                            ResponsesRequest.schemaFields(new JsonObject(), schema))));
    request
        .settings()
        .fields()
        .forEach((name, value) -> setting(out, name, value, request, atOpenAi));
    if (stream) {
      out.raw("stream", "true").raw("stream_options", "{\"include_usage\":true}");
    }
    return out.json();
  }

  private static String tool(ToolSpec spec) {
    JsonObject function =
        new JsonObject()
            .put("name", spec.name())
            .put("description", spec.description())
            .raw("parameters", spec.parameters());
    if (spec.strict()) {
      function.raw("strict", "true");
    }
    return new JsonObject().put("type", "function").put("function", function).json();
  }

  /** Settings have the names of the Responses API. */
  private static void setting(
      JsonObject out, String name, Object value, ModelRequest request, boolean atOpenAi) {
    switch (name) {
      case "max_output_tokens" -> out.put(atOpenAi ? "max_completion_tokens" : "max_tokens", value);
      case "reasoning" -> inner(out, "reasoning_effort", value, "effort");
      case "text" -> {
        inner(out, "verbosity", value, "verbosity");
        if (request.outputSchema().isEmpty() && value instanceof Map<?, ?> text) {
          format(out, text.get("format"));
        }
      }
      case "top_logprobs" -> out.raw("logprobs", "true").put(name, value);
      case "tool_choice", "parallel_tool_calls" -> {
        if (!request.tools().isEmpty()) {
          out.raw(name, choice(value));
        }
      }
      default -> {
        if (!NOT_PASSED.contains(name)) {
          out.put(name, value);
        }
      }
    }
  }

  private static String choice(Object value) {
    Object name = value;
    if (value instanceof Map<?, ?> map && "function".equals(map.get("type"))) {
      name = map.get("name");
    }
    return name instanceof String tool && !CHOICES.contains(tool)
        ? new JsonObject()
            .put("type", "function")
            .put("function", new JsonObject().put("name", tool))
            .json()
        : Json.write(value);
  }

  /** There the fields of a schema are beside its type, here they are in an object of their own. */
  private static void format(JsonObject out, @Nullable Object format) {
    if (!(format instanceof Map<?, ?> map)) {
      return;
    }
    if (!"json_schema".equals(map.get("type"))) {
      out.put("response_format", map);
      return;
    }
    Map<Object, Object> schema = new LinkedHashMap<>(map);
    schema.remove("type");
    out.put("response_format", Map.of("type", "json_schema", "json_schema", schema));
  }

  private static void inner(JsonObject out, String name, Object value, String field) {
    if (value instanceof Map<?, ?> map && map.get(field) != null) {
      out.put(name, map.get(field));
    }
  }
}
