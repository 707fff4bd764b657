package dev.clew.openai;

import dev.clew.Item;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelResponse;
import dev.clew.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Follows one response: passes on what comes, and keeps the end. Used by one thread. */
final class ResponsesStream extends AnswerStream {
  private final Map<String, String> callIds = new HashMap<>();
  private final TreeMap<Long, String> items = new TreeMap<>();
  private @Nullable ModelResponse response;

  ResponsesStream(Consumer<ModelEvent> listener) {
    super(listener);
  }

  @Override
  boolean event(Map<String, String> fields, String data) {
    String type = ResponsesAnswer.string(fields.get("type"));
    switch (type) {
      case "response.output_text.delta" ->
          delta(fields).map(ModelEvent.TextDelta::new).ifPresent(this::tell);
      case "response.refusal.delta" ->
          delta(fields).map(ModelEvent.RefusalDelta::new).ifPresent(this::tell);
      case "response.reasoning_summary_text.delta",
          "response.reasoning_text.delta",
          "response.reasoning.delta" ->
          delta(fields).map(ModelEvent.ReasoningDelta::new).ifPresent(this::tell);
      case "response.function_call_arguments.delta" ->
          delta(fields)
              .map(text -> new ModelEvent.ArgumentsDelta(callId(fields), text))
              .ifPresent(this::tell);
      case "response.output_item.added" -> added(fields);
      case "response.output_item.done" -> done(fields);
      case "response.completed", "response.incomplete", "response.failed" -> {
        response =
            ResponsesAnswer.of(
                fields.getOrDefault("response", "{}"), new ArrayList<>(items.values()));
        return false;
      }
      case "error" ->
          throw ResponsesAnswer.error(
              ResponsesAnswer.isObject(fields.get("error")) ? fields.get("error") : data);
      default -> {
        if (type.isEmpty() && ResponsesAnswer.isObject(fields.get("error"))) {
          throw ResponsesAnswer.error(fields.get("error"));
        }
      }
    }
    return true;
  }

  @Override
  ModelResponse answer(String json) {
    return ResponsesAnswer.of(json, List.of());
  }

  @Override
  @Nullable ModelResponse fromEvents() {
    return response;
  }

  private static Optional<String> delta(Map<String, String> fields) {
    return Optional.of(ResponsesAnswer.string(fields.get("delta"))).filter(text -> !text.isEmpty());
  }

  private void added(Map<String, String> fields) {
    Map<String, String> item = ResponsesAnswer.object(fields.get("item"));
    String callId = Json.string(item.get("call_id"));
    String id = Json.string(item.get("id"));
    if (callId != null && id != null) {
      callIds.put(id, callId);
    }
    if (!item.isEmpty()) {
      tell(new ModelEvent.ItemStarted(item(fields)));
    }
  }

  private void done(Map<String, String> fields) {
    String item = fields.get("item");
    if (item != null) {
      items.put(index(fields), item);
      if (ResponsesAnswer.isObject(item)) {
        tell(new ModelEvent.ItemDone(item(fields)));
      }
    }
  }

  private static Item item(Map<String, String> fields) {
    return ResponsesAnswer.items(List.of(fields.getOrDefault("item", "{}"))).get(0);
  }

  private long index(Map<String, String> fields) {
    try {
      return Long.parseLong(fields.getOrDefault("output_index", ""));
    } catch (NumberFormatException e) {
      return items.isEmpty() ? 0 : items.lastKey() + 1;
    }
  }

  private String callId(Map<String, String> fields) {
    String itemId = ResponsesAnswer.string(fields.get("item_id"));
    return callIds.getOrDefault(itemId, itemId);
  }
}
