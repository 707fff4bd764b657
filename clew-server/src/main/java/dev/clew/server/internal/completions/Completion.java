package dev.clew.server.internal.completions;

import dev.clew.Item;
import dev.clew.Part;
import dev.clew.Role;
import dev.clew.View;
import dev.clew.agent.Usage;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.json.UncheckedJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a model said, as the one message of a completion. Immutable.
 *
 * @param content null if there is no text
 * @param calls the tool calls as JSON, without an index
 * @param finish why the answer ends
 */
record Completion(
    @Nullable String content,
    @Nullable String refusal,
    String reasoning,
    List<String> calls,
    String finish) {
  private static final String FILTER = "content_filter";

  /**
   * The message of an answer.
   *
   * @param functions whether calls have the form that came before tools
   * @param incomplete why it was cut short, in the words of the Responses API
   */
  static Completion of(List<Item> output, boolean functions, Optional<String> incomplete) {
    List<String> texts = new ArrayList<>();
    StringBuilder refusal = new StringBuilder();
    StringBuilder reasoning = new StringBuilder();
    List<String> calls = new ArrayList<>();
    boolean cut = incomplete.isPresent();
    for (Item item : output) {
      View view = item.view();
      if (view instanceof View.Message message && message.role() == Role.ASSISTANT) {
        StringBuilder text = new StringBuilder();
        for (Part part : message.content()) {
          if (part instanceof Part.Refusal refused) {
            refusal.append(refused.refusal());
          } else if (part instanceof Part.Text words) {
            text.append(words.text());
          }
        }
        if (text.length() > 0) {
          texts.add(text.toString());
        }
        cut |= "incomplete".equals(Json.string(UncheckedJson.fields(item.json()).get("status")));
      } else if (view instanceof View.Reasoning thought) {
        reasoning.append(thought.text());
      } else if (view instanceof View.FunctionCall call) {
        calls.add(call(call).toString());
      } else if (item.type().equals("custom_tool_call")) {
        calls.add(custom(UncheckedJson.fields(item.json())));
      }
    }
    String finish = cut ? "length" : "stop";
    if (incomplete.equals(Optional.of(FILTER))) {
      finish = FILTER;
    } else if (!calls.isEmpty()) {
      finish = functions ? "function_call" : "tool_calls";
    }
    return new Completion(
        texts.isEmpty() ? null : String.join("\n\n", texts),
        refusal.length() == 0 ? null : refusal.toString(),
        reasoning.toString(),
        List.copyOf(calls),
        finish);
  }

  static JsonObject call(View.FunctionCall call) {
    return new JsonObject()
        .put("id", call.callId())
        .put("type", "function")
        .put(
            "function",
            new JsonObject().put("name", call.name()).put("arguments", call.arguments()));
  }

  private static String custom(Map<String, String> fields) {
    return new JsonObject()
        .raw("id", fields.getOrDefault("call_id", "\"\""))
        .put("type", "custom")
        .put(
            "custom",
            new JsonObject()
                .raw("name", fields.getOrDefault("name", "\"\""))
                .raw("input", fields.getOrDefault("input", "\"\"")))
        .toString();
  }

  /** The only function call, in the form that came before tools. */
  String functionCall() {
    return UncheckedJson.fields(calls.get(0)).getOrDefault("function", "{}");
  }

  boolean isFunctionCall() {
    return finish.equals("function_call");
  }

  JsonObject message() {
    JsonObject message =
        new JsonObject()
            .put("role", "assistant")
            .put("content", content)
            .put("refusal", refusal)
            .raw("annotations", "[]");
    if (!reasoning.isEmpty()) {
      message.put("reasoning_content", reasoning);
    }
    if (isFunctionCall()) {
      return message.raw("function_call", functionCall());
    }
    return calls.isEmpty() ? message : message.array("tool_calls", calls);
  }

  /** The fields that an answer and each piece of it begin with. */
  static JsonObject head(String id, String object, long created, String model) {
    return new JsonObject()
        .put("id", id)
        .put("object", object)
        .put("created", created)
        .put("model", model);
  }

  JsonObject json(String id, long created, String model, Usage usage) {
    JsonObject choice =
        new JsonObject()
            .put("index", 0)
            .put("message", message())
            .put("logprobs", (Object) null)
            .put("finish_reason", finish);
    return head(id, "chat.completion", created, model)
        .putAll("choices", List.of(choice))
        .put("usage", usage(usage))
        .put("service_tier", "default")
        .put("system_fingerprint", (Object) null);
  }

  static JsonObject usage(Usage usage) {
    return new JsonObject()
        .put("prompt_tokens", usage.inputTokens())
        .put("completion_tokens", usage.outputTokens())
        .put("total_tokens", usage.totalTokens())
        .put(
            "prompt_tokens_details",
            new JsonObject().put("cached_tokens", usage.cachedTokens()).put("audio_tokens", 0))
        .put(
            "completion_tokens_details",
            new JsonObject()
                .put("reasoning_tokens", usage.reasoningTokens())
                .put("audio_tokens", 0)
                .put("accepted_prediction_tokens", 0)
                .put("rejected_prediction_tokens", 0));
  }
}
