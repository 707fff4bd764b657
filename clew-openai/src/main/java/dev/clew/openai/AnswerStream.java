package dev.clew.openai;

import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelResponse;
import dev.clew.json.Json;
import dev.clew.openai.ApiFailure.Kind;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Follows one answer, which comes in pieces or at once. Used by one thread. */
abstract class AnswerStream {
  private final Consumer<ModelEvent> listener;
  private @Nullable ModelResponse whole;

  AnswerStream(Consumer<ModelEvent> listener) {
    this.listener = listener;
  }

  final void tell(ModelEvent event) {
    listener.accept(event);
  }

  /** Takes the data of an event; whether more is wanted. */
  final boolean event(String data) {
    if (data.startsWith("[DONE]")) {
      return false;
    }
    Map<String, String> fields;
    try {
      fields = Json.fields(data);
    } catch (IllegalArgumentException e) {
      throw ApiFailure.malformed("an event that is no JSON object");
    }
    return event(fields, data);
  }

  /** Takes an event; whether more is wanted. */
  abstract boolean event(Map<String, String> fields, String data);

  /** Takes an answer that comes at once. */
  final void whole(String json) {
    whole = answer(json);
    whole.output().forEach(item -> ModelEvent.ofWhole(item).ifPresent(this::tell));
  }

  abstract ModelResponse answer(String json);

  /** What all events make together. */
  final ModelResponse response() {
    ModelResponse response = whole == null ? fromEvents() : whole;
    if (response == null) {
      throw new ApiFailure(Kind.LOST, "ended its stream in the middle of the answer", null);
    }
    return response;
  }

  /** What all events make together; null if the last one is missing. */
  abstract @Nullable ModelResponse fromEvents();
}
