package dev.clew.server.internal.http;

import dev.clew.ClewException;
import dev.clew.json.JsonObject;
import java.nio.charset.StandardCharsets;

/** What goes wrong below, in the words of the APIs. Stateless. */
public final class Problems {
  private Problems() {}

  /** The answer to a failure of a store, a session or a model. */
  public static Problem of(ClewException failure, String requestId) {
    String message = String.valueOf(failure.getMessage());
    if (failure instanceof ClewException.InvalidItem) {
      return Problem.invalid("invalid_item", "items", message);
    }
    if (failure instanceof ClewException.LimitExceeded) {
      return Problem.invalid("limit_exceeded", null, message);
    }
    if (failure instanceof ClewException.SessionBusy) {
      return Problem.invalid(
          "conversation_locked",
          "conversation",
          "Another process is currently operating on this conversation."
              + " Please retry in a few seconds.");
    }
    if (failure instanceof ClewException.VersionConflict) {
      return Problem.refused(409, "conflict", null, message);
    }
    if (failure instanceof ClewException.OnHold) {
      // Why is between those who placed it and the operator.
      return Problem.refused(
          409,
          "legal_hold",
          null,
          "This is kept under a legal hold; nothing was removed or changed.");
    }
    if (failure instanceof ClewException.NotSupported) {
      return Problem.invalid("not_supported", null, message);
    }
    if (failure instanceof ClewException.RateLimited) {
      return Problem.tooMany(message, 1);
    }
    if (failure instanceof ClewException.StoreUnavailable
        || failure instanceof ClewException.OutcomeUnknown
        || failure instanceof ClewException.Closed) {
      // Where the store is, and why it failed, is the operator's business.
      return Problem.unavailable(
          "store_unavailable",
          "The store cannot be reached at the moment; try again. Request id " + requestId + ".");
    }
    if (failure instanceof ClewException.ModelFailed
        || failure instanceof ClewException.Unauthorized) {
      return Problem.upstream(
          "The model failed at this request; the server's log says why under request id "
              + requestId
              + ".");
    }
    return Problem.internal(requestId);
  }

  /** Writes the answer: OpenAI's envelope for its API, with the request's id for ours. */
  static void answer(Transfer transfer, Problem problem, String requestId) {
    JsonObject error = problem.fields();
    if (transfer.path().startsWith("/api/")) {
      error.put("request_id", requestId);
    }
    if (problem.retryAfterSeconds() > 0) {
      transfer.setHeader("Retry-After", String.valueOf(problem.retryAfterSeconds()));
    }
    transfer.answer(
        problem.status(),
        "application/json",
        new JsonObject().put("error", error).toString().getBytes(StandardCharsets.UTF_8));
  }
}
