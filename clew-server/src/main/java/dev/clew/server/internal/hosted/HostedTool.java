package dev.clew.server.internal.hosted;

import dev.clew.agent.Tool;
import dev.clew.agent.ToolCall;
import dev.clew.agent.ToolOutput;
import dev.clew.agent.ToolSpec;
import dev.clew.json.JsonObject;
import dev.clew.mcptools.McpFailure;
import dev.clew.mcptools.McpTool;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A tool of an MCP server during one response. Thread-safe. */
public final class HostedTool implements Tool {
  private final McpTool tool;
  private final HostedServer server;
  private final Map<String, String> errors = new ConcurrentHashMap<>();

  HostedTool(McpTool tool, HostedServer server) {
    this.tool = tool;
    this.server = server;
  }

  String server() {
    return server.label();
  }

  String tool() {
    return tool.tool();
  }

  boolean isReadOnly() {
    return tool.isReadOnly();
  }

  @Override
  public ToolSpec spec() {
    return tool.spec();
  }

  /** The id of the request for approval with which a call was allowed. */
  Optional<String> approval(String callId) {
    return server.approval(callId);
  }

  /** Whether calls need an approval, other than those that were approved. */
  public boolean needsApproval() {
    return server.needsApproval(this);
  }

  @Override
  public boolean needsApproval(ToolCall call) {
    return needsApproval() && approval(call.callId()).isEmpty();
  }

  @Override
  public Duration timeout() {
    return tool.timeout();
  }

  @Override
  public ToolOutput call(ToolCall call) throws McpFailure, InterruptedException {
    try {
      ToolOutput output =
          server.guarded(call.callId(), tool.tool(), () -> tool.call(call.arguments()));
      if (output.failed()) {
        errors.put(call.callId(), failed(output));
      }
      return output;
    } catch (McpFailure e) {
      errors.put(call.callId(), failed(e));
      throw e;
    }
  }

  private static String failed(ToolOutput output) {
    JsonObject text = new JsonObject().put("type", "text").put("text", output.text());
    return new JsonObject()
        .put("type", "mcp_tool_execution_error")
        .putAll("content", List.of(text))
        .toString();
  }

  private static String failed(McpFailure failure) {
    boolean http = failure.kind() == McpFailure.Kind.HTTP;
    return error(http ? "http_error" : "mcp_protocol_error", failure.code(), failure.getMessage());
  }

  private static String error(String type, int code, String message) {
    return new JsonObject().put("type", type).put("code", code).put("message", message).toString();
  }

  /**
   * What went wrong with a call, as JSON; {@code null} if nothing did.
   *
   * @param output what the model got
   */
  public String error(String callId, String output, boolean failed) {
    String known = errors.remove(callId);
    if (known != null) {
      return known;
    }
    return failed ? error("mcp_protocol_error", 0, output) : "null";
  }
}
