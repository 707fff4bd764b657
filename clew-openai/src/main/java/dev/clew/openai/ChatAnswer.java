package dev.clew.openai;

import dev.clew.Item;
import dev.clew.agent.ModelResponse;
import dev.clew.agent.Usage;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What Chat Completions answers, as items. Used by one thread: plain answers fill it at once,
 * streams piece by piece. Texts are kept as the raw JSON they came in where they came whole.
 */
final class ChatAnswer {
  private static final String EMPTY = "\"\"";

  /** A tool call, with its arguments as a JSON string. */
  record Call(String id, String name, String arguments) {}

  private String content = EMPTY;
  private String refusal = EMPTY;
  private String reasoning = EMPTY;
  private final List<Call> calls = new ArrayList<>();
  private String finish = "";
  private Usage usage = ResponsesAnswer.usage(null);

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
    ChatAnswer answer = new ChatAnswer();
    answer.content(rawText(message.get("content")));
    answer.refusal(rawText(message.get("refusal")));
    answer.reasoning(rawText(thought(message)));
    for (String call : ResponsesAnswer.elements(message.get("tool_calls"))) {
      Map<String, String> found = ResponsesAnswer.object(call);
      Map<String, String> function = ResponsesAnswer.object(found.get("function"));
      answer.call(
          new Call(
              string(found.get("id")),
              string(function.get("name")),
              rawArguments(function.get("arguments"))));
    }
    answer.finish(string(choice.get("finish_reason")));
    answer.usage(fields.get("usage"));
    return answer.response();
  }

  /** Servers have two names for what a model thought. */
  static @Nullable String thought(Map<String, String> message) {
    String named = message.get("reasoning_content");
    return Json.string(named) == null ? message.get("reasoning") : named;
  }

  static String string(@Nullable String raw) {
    return Optional.ofNullable(Json.string(raw)).orElse("");
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

  void content(String raw) {
    content = raw;
  }

  void refusal(String raw) {
    refusal = raw;
  }

  void reasoning(String raw) {
    reasoning = raw;
  }

  void call(Call call) {
    calls.add(call);
  }

  void finish(String reason) {
    finish = reason;
  }

  void usage(@Nullable String json) {
    usage = ResponsesAnswer.usage(json, "prompt_tokens", "completion_tokens");
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
      if (finish.equals("length") || finish.equals("content_filter")) {
        message.put("status", "incomplete");
      }
      items.add(item(message.array("content", parts)));
    }
    for (Call call : calls) {
      items.add(
          item(
              new JsonObject()
                  .put("type", "function_call")
                  .put("call_id", call.id().isEmpty() ? newCallId() : call.id())
                  .put("name", call.name())
                  .raw("arguments", call.arguments())));
    }
    return new ModelResponse(items, usage, Optional.empty());
  }

  private static String part(String type, String field, String raw) {
    return new JsonObject().put("type", type).raw(field, raw).json();
  }

  private static Item item(JsonObject object) {
    return Item.stored(object.json());
  }

  /** Some local servers give none, and an output has to refer to its call. */
  static String newCallId() {
    return "call_" + UUID.randomUUID().toString().replace("-", "");
  }
}
