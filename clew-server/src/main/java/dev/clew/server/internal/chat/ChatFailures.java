package dev.clew.server.internal.chat;

import dev.clew.ClewException;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Problems;
import java.util.concurrent.CompletionException;

/** What goes wrong in a turn, in the words of the chat API. Stateless. */
public final class ChatFailures {
  private ChatFailures() {}

  /** The answer to a failure. */
  public static Problem of(Throwable failure, String requestId) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof Problem problem) {
      return problem;
    }
    if (cause instanceof ClewException.SessionBusy) {
      return Problem.refused(
          409,
          "session_busy",
          "session_id",
          "Another turn of this session is under way; try again when it is over, or stop it.");
    }
    if (cause instanceof ClewException.GuardrailTripped) {
      return Problem.invalid("guardrail_tripped", "message", String.valueOf(cause.getMessage()));
    }
    if (cause instanceof ClewException.MaxTurnsExceeded) {
      return Problem.upstream(
          "The model called tools again and again without an answer; what was done is kept.");
    }
    if (cause instanceof ClewException known) {
      return Problems.of(known, requestId);
    }
    return Problem.internal(requestId);
  }

  /** The problem as the data of an {@code error} event. */
  static String json(Problem problem, String requestId) {
    return new JsonObject().put("error", problem.fields().put("request_id", requestId)).toString();
  }
}
