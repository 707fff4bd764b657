package dev.clew.mcp;

import java.util.Optional;

/**
 * The answer to a message. Immutable.
 *
 * @param status the status to send over HTTP
 * @param json a JSON-RPC response; none for notifications
 */
public record McpReply(int status, Optional<String> json) {
  static final McpReply ACCEPTED = new McpReply(202, Optional.empty());

  static McpReply of(int status, String json) {
    return new McpReply(status, Optional.of(json));
  }
}
