package dev.clew.openai;

import dev.clew.Item;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelResponse;
import dev.clew.json.Json;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Follows the pieces of one streamed chat completion. Used by one thread. */
final class ChatStream extends AnswerStream {
  /** A tool call that is being written. */
  private static final class Call {
    String id = "";
    String name = "";
    boolean started;
    final StringBuilder arguments = new StringBuilder();
  }

  private final StringBuilder content = new StringBuilder();
  private final StringBuilder refusal = new StringBuilder();
  private final StringBuilder reasoning = new StringBuilder();
  private final TreeMap<Long, Call> calls = new TreeMap<>();
  private String finish = "";
  private @Nullable String usage;

  ChatStream(Consumer<ModelEvent> listener) {
    super(listener);
  }

  @Override
  boolean event(Map<String, String> fields, String data) {
    if (ResponsesAnswer.isObject(fields.get("error"))) {
      throw ResponsesAnswer.error(fields.get("error"));
    }
    if (ResponsesAnswer.isObject(fields.get("usage"))) {
      usage = fields.get("usage");
    }
    List<String> choices = ResponsesAnswer.elements(fields.get("choices"));
    if (!choices.isEmpty()) {
      choice(ResponsesAnswer.object(choices.get(0)));
    }
    return true;
  }

  private void choice(Map<String, String> choice) {
    Map<String, String> delta = ResponsesAnswer.object(choice.get("delta"));
    String thought = ResponsesAnswer.string(ChatAnswer.thought(delta));
    if (!thought.isEmpty()) {
      reasoning.append(thought);
      tell(new ModelEvent.ReasoningDelta(thought));
    }
    text(content, delta.get("content"), ModelEvent.TextDelta::new);
    text(refusal, delta.get("refusal"), ModelEvent.RefusalDelta::new);
    ResponsesAnswer.elements(delta.get("tool_calls"))
        .forEach(call -> call(ResponsesAnswer.object(call)));
    String reason = ResponsesAnswer.string(choice.get("finish_reason"));
    if (!reason.isEmpty()) {
      finish = reason;
    }
  }

  private void text(
      StringBuilder target, @Nullable String json, Function<String, ModelEvent> event) {
    String piece = ResponsesAnswer.string(json);
    if (!piece.isEmpty()) {
      target.append(piece);
      tell(event.apply(piece));
    }
  }

  private void call(Map<String, String> piece) {
    Map<String, String> function = ResponsesAnswer.object(piece.get("function"));
    String id = ResponsesAnswer.string(piece.get("id"));
    Call call = calls.computeIfAbsent(index(piece, id), number -> new Call());
    if (call.id.isEmpty()) {
      boolean taken = calls.values().stream().anyMatch(other -> other.id.equals(id));
      call.id = taken ? ChatAnswer.newCallId() : id; // the empty one is this call's
    }
    call.name += ResponsesAnswer.string(function.get("name"));
    if (!call.started && !call.name.isEmpty()) {
      call.started = true;
      tell(new ModelEvent.ItemStarted(Item.functionCall(call.id, call.name, "")));
    }
    String arguments = ResponsesAnswer.string(function.get("arguments"));
    if (!arguments.isEmpty()) {
      call.arguments.append(arguments);
      tell(new ModelEvent.ArgumentsDelta(call.id, arguments));
    }
  }

  /** Which call a piece is of; where the server does not number them, a new id is a new call. */
  private long index(Map<String, String> piece, String id) {
    try {
      return Long.parseLong(piece.getOrDefault("index", ""));
    } catch (NumberFormatException e) {
      if (calls.isEmpty()) {
        return 0;
      }
      boolean another = !id.isEmpty() && !id.equals(calls.lastEntry().getValue().id);
      return calls.lastKey() + (another ? 1 : 0);
    }
  }

  @Override
  ModelResponse answer(String json) {
    return ChatAnswer.of(json);
  }

  @Override
  @Nullable ModelResponse fromEvents() {
    if (finish.isEmpty()) {
      return null;
    }
    List<ChatAnswer.Call> all =
        calls.values().stream()
            .map(call -> new ChatAnswer.Call(call.id, call.name, quoted(call.arguments)))
            .toList();
    return new ChatAnswer(
            Json.quote(content), Json.quote(refusal), Json.quote(reasoning), all, finish, usage)
        .response();
  }

  private static String quoted(StringBuilder arguments) {
    return Json.quote(arguments.length() == 0 ? "{}" : arguments);
  }
}
