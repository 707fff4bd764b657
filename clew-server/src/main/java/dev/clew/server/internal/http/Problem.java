package dev.clew.server.internal.http;

import dev.clew.ClewException;
import dev.clew.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An error response: a status, a code for programs, a message for people. Immutable. It has no
 * stack trace.
 */
public final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final String INVALID = "invalid_request_error";
  private static final String SERVER = "server_error";
  private static final Map<Character, String> KINDS =
      Map.of(
          '{', "an object", '[', "an array", '"', "a string", 't', "a boolean", 'f', "a boolean");

  private final int status;
  private final String type;
  private final @Nullable String code;
  private final @Nullable String param;
  private final int retryAfterSeconds;

  private Problem(
      int status,
      String type,
      @Nullable String code,
      @Nullable String param,
      String message,
      int retryAfterSeconds) {
    super(message, null, false, false);
    this.status = status;
    this.type = type;
    this.code = code;
    this.param = param;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** What a caller may know of a failure; the log has the rest. */
  public static Problem of(Throwable failure, String requestId) {
    if (failure instanceof Problem problem) {
      return problem;
    }
    String message = String.valueOf(failure.getMessage());
    if (failure instanceof ClewException.InvalidItem invalid) {
      return invalid("invalid_item", "items", reason(invalid));
    }
    if (failure instanceof ClewException.LimitExceeded) {
      return invalid("limit_exceeded", null, message);
    }
    if (failure instanceof ClewException.SessionBusy) {
      return invalid(
          "conversation_locked",
          "conversation",
          "Another process is currently operating on this conversation."
              + " Please retry in a few seconds.");
    }
    if (failure instanceof ClewException.VersionConflict conflict) {
      return conflict.operationReused() ? keyReused() : refused(409, "conflict", null, message);
    }
    if (failure instanceof ClewException.OnHold) { // the reason is confidential
      return refused(
          409, "legal_hold", null, "This is under a legal hold; nothing was removed or changed.");
    }
    if (failure instanceof ClewException.NotSupported) {
      return invalid("not_supported", null, message);
    }
    if (failure instanceof ClewException.RateLimited) { // its message may name the organization
      return tooMany("The model receives too many requests; try again in a moment.", 1);
    }
    if (failure instanceof ClewException.StoreUnavailable
        || failure instanceof ClewException.OutcomeUnknown
        || failure instanceof ClewException.Closed) { // the log says where and why
      return unavailable(
          "store_unavailable",
          "The store cannot be reached at the moment; try again. Request id " + requestId + ".");
    }
    String log = "see the server's log, request id " + requestId + ".";
    if (failure instanceof ClewException.Unauthorized) {
      return upstream(
          "model_unauthorized", "The model's provider refuses the server's API key; " + log);
    }
    return failure instanceof ClewException.ModelFailed model
        ? of(model, log)
        : internal(requestId);
  }

  private static Problem of(ClewException.ModelFailed failure, String log) {
    if (failure.isTooLarge()) {
      return refused(
          413,
          "model_request_too_large",
          null,
          "The request is larger than the model's server takes; shorten it, or attach less.");
    }
    if (failure.isOverloaded()) {
      return unavailable("model_overloaded", "The model is overloaded; try again in a moment.");
    }
    if (failure.isTooLong()) {
      return invalid(
          "context_length_exceeded",
          null,
          "The conversation is longer than the model's context window; compact it,"
              + " send less, or begin another one.");
    }
    if (failure.refusal().isPresent()) {
      return invalid(
          "model_refused",
          null,
          "The model's provider refuses this request: " + failure.refusal().get());
    }
    return upstream(
        "model_failed",
        failure.retryable()
            ? "The model failed to answer this request; " + log
            : "The model's provider refuses what this server sends; whoever runs the server must look"
                + " into it: "
                + log);
  }

  /** What is wrong with an item, without the setting of the Java library that allows it. */
  public static String reason(ClewException.InvalidItem failure) {
    return String.valueOf(failure.getMessage()).replaceFirst(" \\(ItemLimits\\.\\w+\\)$", "");
  }

  /** An Idempotency-Key that came with another request before. */
  public static Problem keyReused() {
    return invalid(
        "idempotency_key_reused",
        "Idempotency-Key",
        "This Idempotency-Key was used for another request; use a new one.");
  }

  public static Problem invalid(String code, @Nullable String param, String message) {
    return refused(400, code, param, message);
  }

  public static Problem invalidValue(String param, @Nullable String reason) {
    return invalid("invalid_value", param, "Invalid '" + param + "': " + reason + ".");
  }

  public static Problem missing(String name) {
    return invalid(
        "missing_required_parameter", name, "Missing required parameter: '" + name + "'.");
  }

  /**
   * A field of the wrong type.
   *
   * @param got its JSON text
   */
  public static Problem wrongType(String name, String expected, String got) {
    String otherwise = got.equals("null") ? "null" : "a number";
    return wrongKind(name, expected, KINDS.getOrDefault(got.charAt(0), otherwise));
  }

  static Problem wrongKind(String name, String expected, String kind) {
    return invalid(
        "invalid_type",
        name,
        String.format(
            "Invalid type for '%s': expected %s, but got %s instead.", name, expected, kind));
  }

  public static Problem unsupported(String path, @Nullable String value, List<String> supported) {
    int last = supported.size() - 1;
    String list = "'" + supported.get(last) + "'";
    if (last > 0) {
      String and = last == 1 ? "' and " : "', and ";
      list = "'" + String.join("', '", supported.subList(0, last)) + and + list;
    }
    return invalid(
        "invalid_value",
        path,
        "Invalid value: '" + value + "'. Supported values are: " + list + ".");
  }

  public static String checkLength(String name, String text, int longest) {
    int length = text.codePointCount(0, text.length());
    if (length > longest) {
      throw invalid(
          "string_above_max_length",
          name,
          String.format(
              "Invalid '%s': string too long. Expected a string with maximum length %d,"
                  + " but got a string with length %d instead.",
              name, longest, length));
    }
    return text;
  }

  public static Problem outside(String name, boolean above, String bound, String got) {
    return outside("integer", name, above, bound, got);
  }

  static Problem outside(String kind, String name, boolean above, String bound, String got) {
    return invalid(
        kind + (above ? "_above_max_value" : "_below_min_value"),
        name,
        String.format(
            "Invalid '%s': %s %s value. Expected a value %s %s, but got %s instead.",
            name,
            kind,
            above ? "above maximum" : "below minimum",
            above ? "<=" : ">=",
            bound,
            got));
  }

  public static Problem tooLarge(@Nullable String param, String what, long bytes) {
    return refused(413, "body_too_large", param, what + "; the limit is " + bytes + " bytes.");
  }

  /** A refusal with a status of 4xx. */
  public static Problem refused(
      int status, @Nullable String code, @Nullable String param, String message) {
    return new Problem(status, INVALID, code, param, message, 0);
  }

  /** Something that does not exist, or belongs to another owner: callers cannot tell which. */
  public static Problem notFound(String message) {
    return refused(404, null, null, message);
  }

  public static Problem unauthorized(String message) {
    return refused(401, "invalid_api_key", null, message);
  }

  public static Problem forbidden(String code, String message) {
    return refused(403, code, null, message);
  }

  public static Problem tooMany(String message, int retryAfterSeconds) {
    return tooMany("rate_limit_exceeded", message, retryAfterSeconds);
  }

  public static Problem tooMany(String code, String message, int retryAfterSeconds) {
    return new Problem(429, "rate_limit_error", code, null, message, retryAfterSeconds);
  }

  /** Something that is under way already and soon over. */
  public static Problem underWay(String code, String param, String message) {
    return new Problem(409, INVALID, code, param, message, 1);
  }

  public static Problem unavailable(String code, String message) {
    return new Problem(503, SERVER, code, null, message, 1);
  }

  /** A model that did not answer. */
  public static Problem upstream(String code, String message) {
    return new Problem(502, SERVER, code, null, message, 0);
  }

  public static Problem internal(String requestId) {
    return new Problem(
        500,
        SERVER,
        SERVER,
        null,
        "The server failed to process this request; see its log, request id " + requestId + ".",
        0);
  }

  public int status() {
    return status;
  }

  /** The code for programs; the type where there is none. */
  public String code() {
    return code == null ? type : code;
  }

  public @Nullable String param() {
    return param;
  }

  public int retryAfterSeconds() {
    return retryAfterSeconds;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }

  /** The four fields of OpenAI's error object. */
  public JsonObject fields() {
    return fields(code);
  }

  /** The same with a code, for clients that need one. */
  public JsonObject fields(@Nullable String withCode) {
    return new JsonObject()
        .put("message", getMessage())
        .put("type", type)
        .put("param", param)
        .put("code", withCode);
  }
}
