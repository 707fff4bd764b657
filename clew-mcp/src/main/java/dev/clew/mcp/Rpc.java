package dev.clew.mcp;

import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A message of JSON-RPC. Immutable.
 *
 * @param id the JSON text of its id; null for notifications and responses
 * @param method empty for responses
 * @param params the JSON text of each parameter
 */
record Rpc(@Nullable String id, String method, Map<String, String> params) {
  private static final Json.Limits LIMITS = new Json.Limits(McpServer.MOST_BYTES, 100);
  private static final String META = "_meta";
  private static final String PREFIX = "io.modelcontextprotocol/";

  static Rpc read(String body) {
    if (body.stripLeading().startsWith("[")) {
      throw RpcError.invalidRequest("Batches are not supported; send one message at a time.");
    }
    try {
      Json.check(body, LIMITS);
    } catch (Json.Malformed e) {
      throw RpcError.unreadable(String.valueOf(e.getMessage()));
    }
    Map<String, String> fields = Json.fields(body);
    if (!"2.0".equals(Json.string(fields.get("jsonrpc")))) {
      throw RpcError.invalidRequest("'jsonrpc' must be \"2.0\".");
    }
    if (!fields.containsKey("method")
        && (fields.containsKey("result") || fields.containsKey("error"))) {
      return new Rpc(null, "", Map.of());
    }
    String method = Json.string(fields.get("method"));
    if (method == null) {
      throw RpcError.invalidRequest("'method' must be a string.");
    }
    String id = fields.get("id");
    if (id != null && !id.startsWith("\"") && !id.matches("-?\\d{1,18}")) {
      throw RpcError.invalidRequest("'id' must be a string or an integer.");
    }
    return new Rpc(id, method, object("params", fields.get("params")));
  }

  private static Map<String, String> object(String name, @Nullable String raw) {
    if (raw == null) {
      return Map.of();
    }
    if (!raw.startsWith("{")) {
      throw RpcError.invalidRequest("'" + name + "' must be an object.");
    }
    return Json.fields(raw);
  }

  boolean isRequest() {
    return id != null;
  }

  Optional<String> text(String name) {
    String raw = params.get(name);
    if (raw == null) {
      return Optional.empty();
    }
    String text = Json.string(raw);
    if (text == null) {
      throw RpcError.invalidParams("'" + name + "' must be a string.");
    }
    return Optional.of(text);
  }

  String needText(String name) {
    return text(name).orElseThrow(() -> RpcError.invalidParams("'" + name + "' is missing."));
  }

  Map<String, String> objectParam(String name) {
    String raw = params.get(name);
    if (raw != null && !raw.startsWith("{")) {
      throw RpcError.invalidParams("'" + name + "' must be an object.");
    }
    return raw == null ? Map.of() : Json.fields(raw);
  }

  /** The version that the message itself names, as those of clients without a handshake do. */
  Optional<String> version() {
    return Optional.ofNullable(Json.string(objectParam(META).get(PREFIX + "protocolVersion")));
  }

  boolean namesCapabilities() {
    String raw = objectParam(META).get(PREFIX + "clientCapabilities");
    return raw != null && raw.startsWith("{");
  }

  static JsonObject serverInfo(JsonObject info) {
    return new JsonObject().put(PREFIX + "serverInfo", info);
  }

  String response(JsonObject result) {
    return answer(id).put("result", result).toString();
  }

  static String failure(@Nullable String id, RpcError error) {
    return answer(id).put("error", error.json()).toString();
  }

  private static JsonObject answer(@Nullable String id) {
    return new JsonObject().put("jsonrpc", "2.0").raw("id", id == null ? "null" : id);
  }
}
