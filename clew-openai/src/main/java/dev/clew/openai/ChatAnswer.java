package dev.clew.openai;

import dev.clew.Item;
import dev.clew.agent.ModelResponse;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What Chat Completions answers. Immutable. Texts are JSON strings, raw as they came in where they
 * came whole.
 *
 * @param reasoning what the model thought, as far as the server shows it
 * @param finish why the answer ends
 * @param usage what it cost, as JSON
 */
record ChatAnswer(
    String content,
    String refusal,
    String reasoning,
    List<Call> calls,
    String finish,
    @Nullable String usage) {
  private static final String EMPTY = "\"\"";

  /** A tool call, with its arguments as a JSON string. */
  record Call(String id, String name, String arguments) {}

  /** The items of a whole answer. */
  static ModelResponse of(String json) {
    Map<String, String> fields = Json.fields(json);
    if (ResponsesAnswer.isObject(fields.get("error"))) {
      throw ResponsesAnswer.error(fields.get("error"));
    }
    List<String> choices = ResponsesAnswer.elements(fields.get("choices"));
    if (choices.isEmpty()) {
      throw ApiFailure.malformed("an answer without choices");
    }
    Map<String, String> choice = ResponsesAnswer.object(choices.get(0));
    Map<String, String> message = ResponsesAnswer.object(choice.get("message"));
    return new ChatAnswer(
            rawText(message.get("content")),
            rawText(message.get("refusal")),
            rawText(thought(message)),
            ResponsesAnswer.elements(message.get("tool_calls")).stream()
                .map(ChatAnswer::call)
                .toList(),
            ResponsesAnswer.string(choice.get("finish_reason")),
            fields.get("usage"))
        .response();
  }

  private static Call call(String json) {
    Map<String, String> call = ResponsesAnswer.object(json);
    Map<String, String> function = ResponsesAnswer.object(call.get("function"));
    return new Call(
        ResponsesAnswer.string(call.get("id")),
        ResponsesAnswer.string(function.get("name")),
        rawArguments(function.get("arguments")));
  }

  /** Servers have two names for what a model thought. */
  static @Nullable String thought(Map<String, String> message) {
    String named = message.get("reasoning_content");
    return Json.string(named) == null ? message.get("reasoning") : named;
  }

  private static String rawText(@Nullable String raw) {
    return raw == null || Json.string(raw) == null ? EMPTY : raw;
  }

  /** Arguments are a string of JSON; some servers send the JSON itself. */
  private static String rawArguments(@Nullable String raw) {
    if (raw == null || raw.equals("null") || raw.equals(EMPTY)) {
      return "\"{}\"";
    }
    return Json.string(raw) == null ? Json.quote(raw) : raw;
  }

  /** Without an id: the answer cannot be referred to later. */
  ModelResponse response() {
    List<Item> items = new ArrayList<>();
    if (!reasoning.equals(EMPTY)) {
      items.add(
          item(
              new JsonObject()
                  .put("type", "reasoning")
                  .raw("summary", "[]")
                  .raw("content", "[" + part("reasoning_text", "text", reasoning) + "]")));
    }
    List<String> parts = new ArrayList<>();
    if (!content.equals(EMPTY)) {
      parts.add(part("output_text", "text", content));
    }
    if (!refusal.equals(EMPTY)) {
      parts.add(part("refusal", "refusal", refusal));
    }
    if (!parts.isEmpty()) {
      JsonObject message = new JsonObject().put("type", "message").put("role", "assistant");
      if (incomplete().isPresent()) {
        message.put("status", "incomplete");
      }
      items.add(item(message.array("content", parts)));
    }
    Set<String> ids = new HashSet<>(List.of("")); // those that another call cannot have
    for (Call call : calls) {
      items.add(
          item(
              new JsonObject()
                  .put("type", "function_call")
                  .put("call_id", ids.add(call.id()) ? call.id() : newCallId())
                  .put("name", call.name())
                  .raw("arguments", call.arguments())));
    }
    return new ModelResponse(
        items,
        ResponsesAnswer.usage(usage, "prompt_tokens", "completion_tokens"),
        Optional.empty(),
        incomplete());
  }

  /** The reason in the words of the Responses API. */
  private Optional<String> incomplete() {
    return switch (finish) {
      case "length" -> Optional.of("max_output_tokens");
      case "content_filter" -> Optional.of(finish);
      default -> Optional.empty();
    };
  }

  private static String part(String type, String field, String raw) {
    return new JsonObject().put("type", type).raw(field, raw).json();
  }

  private static Item item(JsonObject object) {
    return Item.stored(object.json());
  }

  /** Some local servers give none, or the same to several, and an output refers to one call. */
  static String newCallId() {
    return "call_" + UUID.randomUUID().toString().replace("-", "");
  }
}
