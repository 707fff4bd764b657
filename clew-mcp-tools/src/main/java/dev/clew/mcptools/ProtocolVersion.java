package dev.clew.mcptools;

import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.Set;

/**
 * A version of the protocol. Immutable.
 *
 * @param stateless whether each request says everything, without a handshake
 */
record ProtocolVersion(String name, boolean stateless) {
  static final ProtocolVersion STATELESS = new ProtocolVersion("2026-07-28", true);
  static final String NEWEST = "2025-11-25";

  private static final Set<String> HANDSHAKE =
      Set.of(NEWEST, "2025-06-18", "2025-03-26", "2024-11-05");
  private static final String PREFIX = "io.modelcontextprotocol/";

  static ProtocolVersion negotiated(String name) throws McpFailure {
    if (!HANDSHAKE.contains(name)) {
      throw McpFailure.connection(
          "it uses protocol version '" + Bounds.quoted(name) + "', which is not supported");
    }
    return new ProtocolVersion(name, false);
  }

  static String client() {
    String version = McpTools.class.getPackage().getImplementationVersion();
    return new JsonObject()
        .put("name", "clew")
        .put("version", version == null ? "0" : version)
        .toString();
  }

  /** The parameters with what the version wants in each request. */
  String params(String params) {
    if (!stateless) {
      return params;
    }
    JsonObject meta =
        new JsonObject()
            .put(PREFIX + "protocolVersion", name)
            .put(PREFIX + "clientCapabilities", new JsonObject())
            .raw(PREFIX + "clientInfo", client());
    JsonObject all = new JsonObject().put("_meta", meta);
    Json.fields(params).forEach(all::raw);
    return all.toString();
  }
}
