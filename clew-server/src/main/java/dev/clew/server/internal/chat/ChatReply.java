package dev.clew.server.internal.chat;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.Role;
import dev.clew.View;
import dev.clew.agent.Interruption;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.json.JsonText;
import dev.clew.server.internal.http.Problem;
import java.util.List;
import java.util.concurrent.CompletionException;

/** The replies of the chat API: of turns that ended, and of those that failed. Stateless. */
public final class ChatReply {
  private ChatReply() {}

  /** The reply: the four fields of every reply, and others if they apply. */
  static String of(
      String session,
      String message,
      List<Item> items,
      List<Interruption> approvals,
      boolean stopped) {
    String intent = "chat";
    String result = "null";
    String callId = "";
    for (Item item : items) {
      if (item.view() instanceof View.FunctionCall call) {
        intent = call.name();
        callId = call.callId();
        result = "null";
      } else if (item.view() instanceof View.FunctionCallOutput output
          && output.callId().equals(callId)) {
        result = json(output.text());
      }
    }
    JsonObject reply =
        new JsonObject()
            .put("message", message)
            .put("intent", intent)
            .put("session_id", session)
            .raw("action_result", result);
    if (!approvals.isEmpty()) {
      reply.putAll("approvals", approvals.stream().map(ChatReply::approval).toList());
    }
    if (stopped) {
      reply.put("stopped", true);
    }
    return reply.toString();
  }

  /** The response to a failure. */
  static Problem failure(Throwable failure, String requestId) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof ClewException.SessionBusy) {
      return Problem.refused(
          409,
          "session_busy",
          "session_id",
          "Another turn of this session is running; try again when it has ended, or stop it.");
    }
    if (cause instanceof ClewException.GuardrailTripped) {
      return Problem.invalid("guardrail_tripped", "message", String.valueOf(cause.getMessage()));
    }
    if (cause instanceof ClewException.MaxTurnsExceeded) {
      return Problem.upstream(
          "too_many_steps",
          "The model kept calling tools without answering; the turn was stored up to this point.");
    }
    return Problem.of(cause, requestId);
  }

  static String json(Problem problem, String requestId) {
    return new JsonObject().put("error", problem.fields().put("request_id", requestId)).toString();
  }

  public static JsonObject approval(Interruption call) {
    return new JsonObject()
        .put("call_id", call.callId())
        .put("tool", call.toolName())
        .raw("arguments", json(call.arguments()));
  }

  static String lastText(List<Item> items) {
    for (int i = items.size() - 1; i >= 0; i--) {
      if (items.get(i).view() instanceof View.Message message && message.role() == Role.ASSISTANT) {
        return message.text();
      }
    }
    return "";
  }

  /** JSON text unchanged, and any other text as a JSON string. */
  private static String json(String text) {
    try {
      Json.checkValue(text, ItemLimits.STORE.json());
      return JsonText.compact(text); // on one line, for events
    } catch (Json.Malformed e) {
      return Json.quote(text);
    }
  }
}
