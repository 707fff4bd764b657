package dev.clew.mcptools;

import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A message of a server. Immutable.
 *
 * @param id its JSON text; null for notifications
 * @param method empty for answers
 */
record Incoming(@Nullable String id, String method, Map<String, String> fields) {
  static final String TOOLS_CHANGED = "notifications/tools/list_changed";
  private static final int METHOD_NOT_FOUND = -32601;

  static Incoming read(String message) throws McpFailure {
    Bounds.check(message);
    if (!message.stripLeading().startsWith("{")) {
      throw McpFailure.connection("it sent a message that is not an object");
    }
    Map<String, String> fields = Json.fields(message);
    String method = Json.string(fields.get("method"));
    String id = fields.get("id");
    return new Incoming(
        "null".equals(id) ? null : id, method == null ? "" : method, Map.copyOf(fields));
  }

  boolean answers(String request) {
    return method.isEmpty() && request.equals(id);
  }

  /** What to answer, if it is a request: we offer nothing but to be alive. */
  Optional<String> reply() {
    if (id == null || method.isEmpty()) {
      return Optional.empty();
    }
    JsonObject answer = new JsonObject().put("jsonrpc", "2.0").raw("id", id);
    if (method.equals("ping")) {
      return Optional.of(answer.put("result", new JsonObject()).toString());
    }
    JsonObject error =
        new JsonObject().put("code", METHOD_NOT_FOUND).put("message", "Not supported.");
    return Optional.of(answer.put("error", error).toString());
  }

  /** The JSON text of the result of an answer. */
  String result() throws McpFailure {
    String result = fields.get("result");
    if (result != null && result.startsWith("{")) {
      return result;
    }
    String error = fields.getOrDefault("error", "");
    if (!error.startsWith("{")) {
      throw McpFailure.connection("it sent an answer without a result");
    }
    Map<String, String> said = Json.fields(error);
    String message = Json.string(said.get("message"));
    throw McpFailure.protocol(
        code(said.getOrDefault("code", "0")),
        message == null || message.isBlank() ? "it refused" : Bounds.quoted(message));
  }

  private static int code(String number) {
    try {
      return Integer.parseInt(number);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  static String request(String id, String method, String params) {
    return new JsonObject()
        .put("jsonrpc", "2.0")
        .raw("id", id)
        .put("method", method)
        .raw("params", params)
        .toString();
  }

  static String notification(String method, String params) {
    return new JsonObject()
        .put("jsonrpc", "2.0")
        .put("method", method)
        .raw("params", params)
        .toString();
  }
}
