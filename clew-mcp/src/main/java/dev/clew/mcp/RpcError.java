package dev.clew.mcp;

import dev.clew.json.JsonObject;
import java.util.Optional;

/** An error response of JSON-RPC. Immutable. It has no stack trace. */
final class RpcError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final int METHOD_NOT_FOUND = -32601;
  private static final int INVALID_PARAMS = -32602;
  private static final int INTERNAL = -32603;

  private final int code;
  private final transient Optional<JsonObject> data;

  private RpcError(int code, String message, Optional<JsonObject> data) {
    super(message, null, false, false);
    this.code = code;
    this.data = data;
  }

  static RpcError unreadable(String reason) {
    return new RpcError(-32700, "The message cannot be read: " + reason + ".", Optional.empty());
  }

  static RpcError invalidRequest(String message) {
    return new RpcError(-32600, message, Optional.empty());
  }

  static RpcError noSuchMethod(String method) {
    return new RpcError(METHOD_NOT_FOUND, "There is no method '" + method + "'.", Optional.empty());
  }

  static RpcError invalidParams(String message) {
    return new RpcError(INVALID_PARAMS, message, Optional.empty());
  }

  static RpcError internal() {
    return new RpcError(INTERNAL, "Clew failed to answer; its log says more.", Optional.empty());
  }

  static RpcError noSuchResource(String uri, boolean stateless) {
    return new RpcError(
        stateless ? INVALID_PARAMS : -32002,
        "There is no resource '" + uri + "'.",
        Optional.of(new JsonObject().put("uri", uri)));
  }

  static RpcError otherHeader(String header) {
    return new RpcError(
        -32020, "The header " + header + " differs from the message.", Optional.empty());
  }

  static RpcError noHeader(String header) {
    return new RpcError(-32020, "The header " + header + " is missing.", Optional.empty());
  }

  static RpcError unknownVersion(String requested) {
    return new RpcError(
        -32022,
        "Protocol version '" + requested + "' is not supported.",
        Optional.of(
            new JsonObject().put("supported", ProtocolVersion.ALL).put("requested", requested)));
  }

  /** The status over HTTP; clients of the handshake versions expect 200 for failed requests. */
  int status(boolean stateless) {
    return switch (code) {
      case INTERNAL -> 200;
      case METHOD_NOT_FOUND -> stateless ? 404 : 200;
      case INVALID_PARAMS, -32002 -> stateless ? 400 : 200;
      default -> 400;
    };
  }

  JsonObject json() {
    JsonObject json =
        new JsonObject().put("code", code).put("message", String.valueOf(getMessage()));
    data.ifPresent(object -> json.put("data", object));
    return json;
  }
}
