package dev.clew.mcp;

import java.util.Optional;

/**
 * One message of a client, with the headers that must agree with it. Immutable.
 *
 * @param body a JSON-RPC request, notification or response
 * @param version the header {@code MCP-Protocol-Version}
 * @param method the header {@code Mcp-Method}
 * @param name the header {@code Mcp-Name}
 * @param overHttp whether it came over HTTP, where these headers have to be there
 */
public record McpMessage(
    String body,
    Optional<String> version,
    Optional<String> method,
    Optional<String> name,
    boolean overHttp) {
  /** One that came over standard input. */
  public static McpMessage of(String body) {
    return new McpMessage(body, Optional.empty(), Optional.empty(), Optional.empty(), false);
  }
}
