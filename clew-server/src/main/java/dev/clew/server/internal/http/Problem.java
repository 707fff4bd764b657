package dev.clew.server.internal.http;

import dev.clew.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * Why a call gets no result: a status, a code for programs, a message for people. Immutable. It has
 * no stack trace, because it is an answer and not a fault.
 */
public final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final String INVALID = "invalid_request_error";
  private static final String SERVER = "server_error";

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

  /** A value of a parameter that is not allowed, and why. */
  public static Problem invalidValue(String param, @Nullable String reason) {
    return invalid("invalid_value", param, "Invalid '" + param + "': " + reason + ".");
  }

  /** The request is wrong. */
  public static Problem invalid(String code, @Nullable String param, String message) {
    return refused(400, code, param, message);
  }

  /** The request is refused, with a status of 4xx. */
  public static Problem refused(
      int status, @Nullable String code, @Nullable String param, String message) {
    return new Problem(status, INVALID, code, param, message, 0);
  }

  /** A number that is too large or too small. */
  public static Problem outside(String name, boolean above, String bound, String got) {
    return invalid(
        above ? "integer_above_max_value" : "integer_below_min_value",
        name,
        String.format(
            "Invalid '%s': integer %s value. Expected a value %s %s, but got %s instead.",
            name, above ? "above maximum" : "below minimum", above ? "<=" : ">=", bound, got));
  }

  /** There is no such thing, or it is somebody else's: nobody can tell which. */
  public static Problem notFound(String message) {
    return refused(404, null, null, message);
  }

  /** The caller did not say who it is, or not so that we know it. */
  public static Problem unauthorized(String message) {
    return refused(401, "invalid_api_key", null, message);
  }

  /** The caller may not do this. */
  public static Problem forbidden(String code, String message) {
    return refused(403, code, null, message);
  }

  /** Too much at once. */
  public static Problem tooMany(String message, int retryAfterSeconds) {
    return tooMany("rate_limit_exceeded", message, retryAfterSeconds);
  }

  /** Too much at once, of something that has a limit of its own. */
  public static Problem tooMany(String code, String message, int retryAfterSeconds) {
    return new Problem(429, "rate_limit_error", code, null, message, retryAfterSeconds);
  }

  /** Not now, but perhaps soon. */
  public static Problem unavailable(String code, String message) {
    return new Problem(503, SERVER, code, null, message, 1);
  }

  /** The model behind us failed. */
  public static Problem upstream(String message) {
    return new Problem(502, SERVER, "model_failed", null, message, 0);
  }

  /** Our fault. */
  public static Problem internal(String requestId) {
    return new Problem(
        500,
        SERVER,
        SERVER,
        null,
        "The server failed at this request; its log says why under request id " + requestId + ".",
        0);
  }

  public int status() {
    return status;
  }

  public @Nullable String code() {
    return code;
  }

  public @Nullable String param() {
    return param;
  }

  /** When to come again; 0 if that is unknown. */
  public int retryAfterSeconds() {
    return retryAfterSeconds;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }

  /** The four fields that clients of OpenAI know. */
  public JsonObject fields() {
    return new JsonObject()
        .put("message", getMessage())
        .put("type", type)
        .put("param", param)
        .put("code", code);
  }
}
