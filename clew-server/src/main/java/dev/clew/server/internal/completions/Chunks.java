package dev.clew.server.internal.completions;

import dev.clew.Item;
import dev.clew.View;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.Usage;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.json.UncheckedJson;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.runs.EventLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The growing answer as the pieces of a streamed completion. Used by one thread. It also
 * understands models that say everything at once.
 */
final class Chunks implements Consumer<ModelEvent> {
  private final EventLog log;
  private final UnaryOperator<JsonObject> head;
  private final boolean usage;
  private final boolean functions;
  private final StringBuilder content = new StringBuilder();
  private final StringBuilder refusal = new StringBuilder();
  private final StringBuilder reasoning = new StringBuilder();
  private final List<Call> calls = new ArrayList<>();
  private boolean begun;

  /** Whether another message follows. */
  private boolean another;

  /** A tool call that was begun. */
  private static final class Call {
    final String id;
    final StringBuilder arguments = new StringBuilder();

    Call(String id) {
      this.id = id;
    }
  }

  /**
   * Into a log.
   *
   * @param head adds what every piece has
   * @param usage whether the usage follows the answer
   * @param functions whether calls have the form that came before tools
   */
  Chunks(EventLog log, UnaryOperator<JsonObject> head, boolean usage, boolean functions) {
    this.log = log;
    this.head = head;
    this.usage = usage;
    this.functions = functions;
  }

  /** The text until now. */
  String content() {
    return content.toString();
  }

  @Override
  public void accept(ModelEvent event) {
    if (event instanceof ModelEvent.TextDelta delta) {
      text(another ? "\n\n" + delta.text() : delta.text());
      another = false;
    } else if (event instanceof ModelEvent.RefusalDelta delta) {
      refusal(delta.text());
    } else if (event instanceof ModelEvent.ReasoningDelta delta) {
      reasoning(delta.text());
    } else if (event instanceof ModelEvent.ItemStarted started) {
      Map<String, String> fields = UncheckedJson.fields(started.item().json());
      String id = Json.string(fields.get("call_id"));
      String name = Json.string(fields.get("name"));
      another |= started.item().type().equals("message") && content.length() > 0;
      if (started.item().type().equals("function_call") && id != null && name != null) {
        begin(id, name);
      }
    } else if (event instanceof ModelEvent.ArgumentsDelta delta) {
      Call call = find(delta.callId());
      if (call != null) { // otherwise it is sent as a whole
        arguments(call, delta.text());
      }
    }
  }

  private void text(String more) {
    if (!more.isEmpty()) {
      content.append(more);
      delta(new JsonObject().put("content", more));
    }
  }

  private void refusal(String more) {
    if (!more.isEmpty()) {
      refusal.append(more);
      delta(new JsonObject().put("refusal", more));
    }
  }

  private void reasoning(String more) {
    if (!more.isEmpty()) {
      reasoning.append(more);
      delta(new JsonObject().put("reasoning_content", more));
    }
  }

  private @Nullable Call find(String id) {
    return calls.stream().filter(call -> call.id.equals(id)).findFirst().orElse(null);
  }

  private Call begin(String id, String name) {
    Call call = new Call(id);
    calls.add(call);
    JsonObject function = new JsonObject().put("name", name).put("arguments", "");
    if (functions) {
      delta(new JsonObject().put("function_call", function));
    } else {
      call(
          new JsonObject()
              .put("index", calls.size() - 1)
              .put("id", id)
              .put("type", "function")
              .put("function", function));
    }
    return call;
  }

  private void arguments(Call call, String more) {
    if (more.isEmpty()) {
      return;
    }
    call.arguments.append(more);
    JsonObject function = new JsonObject().put("arguments", more);
    if (functions) {
      delta(new JsonObject().put("function_call", function));
    } else {
      call(new JsonObject().put("index", calls.indexOf(call)).put("function", function));
    }
  }

  private void call(JsonObject call) {
    delta(new JsonObject().putAll("tool_calls", List.of(call)));
  }

  private void delta(JsonObject delta) {
    if (!begun) {
      begun = true;
      choice(
          new JsonObject()
              .put("role", "assistant")
              .put("content", "")
              .put("refusal", (Object) null),
          null);
    }
    choice(delta, null);
  }

  private void choice(JsonObject delta, @Nullable String finish) {
    JsonObject choice =
        new JsonObject()
            .put("index", 0)
            .put("delta", delta)
            .put("logprobs", (Object) null)
            .put("finish_reason", finish);
    send(chunk().putAll("choices", List.of(choice)), (Object) null);
  }

  private JsonObject chunk() {
    return head.apply(new JsonObject());
  }

  private void send(JsonObject chunk, @Nullable Object count) {
    if (usage) {
      if (count instanceof JsonObject numbers) {
        chunk.put("usage", numbers);
      } else {
        chunk.put("usage", (Object) null);
      }
    }
    String json = chunk.toString();
    log.add("chunk", number -> json);
  }

  /** Sends what was not sent yet. */
  void rest(List<Item> output, Completion whole) {
    String text = Objects.requireNonNullElse(whole.content(), "");
    if (text.startsWith(content.toString())) {
      text(text.substring(content.length()));
    }
    if (whole.reasoning().startsWith(reasoning.toString())) {
      reasoning(whole.reasoning().substring(reasoning.length()));
    }
    String refused = Objects.requireNonNullElse(whole.refusal(), "");
    if (refused.startsWith(refusal.toString())) {
      refusal(refused.substring(refusal.length()));
    }
    for (Item item : output) {
      if (item.view() instanceof View.FunctionCall call) {
        Call sent = find(call.callId());
        Call here = sent == null ? begin(call.callId(), call.name()) : sent;
        if (call.arguments().startsWith(here.arguments.toString())) {
          arguments(here, call.arguments().substring(here.arguments.length()));
        }
      } else if (item.type().equals("custom_tool_call")) {
        custom(UncheckedJson.fields(item.json()));
      }
    }
    if (!begun) {
      delta(new JsonObject().put("content", ""));
    }
  }

  private void custom(Map<String, String> fields) {
    calls.add(new Call(String.valueOf(Json.string(fields.get("call_id")))));
    call(
        new JsonObject()
            .put("index", calls.size() - 1)
            .raw("id", fields.getOrDefault("call_id", "\"\""))
            .put("type", "custom")
            .put(
                "custom",
                new JsonObject()
                    .raw("name", fields.getOrDefault("name", "\"\""))
                    .raw("input", fields.getOrDefault("input", "\"\""))));
  }

  void end(String finish, Usage used) {
    choice(new JsonObject(), finish);
    if (usage) {
      send(chunk().raw("choices", "[]"), Completion.usage(used));
    }
    log.add("chunk", number -> "[DONE]");
  }

  /** The last piece of an answer that is not complete; no {@code [DONE]} follows it. */
  static String error(Problem problem) {
    return new JsonObject().put("error", problem.fields()).toString();
  }

  void fail(Problem problem) {
    String json = error(problem);
    log.add("chunk", number -> json);
  }
}
