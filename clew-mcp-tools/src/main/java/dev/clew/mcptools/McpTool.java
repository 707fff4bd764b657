package dev.clew.mcptools;

import dev.clew.agent.Tool;
import dev.clew.agent.ToolCall;
import dev.clew.agent.ToolOutput;
import dev.clew.agent.ToolSpec;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.time.Duration;
import java.util.Map;

/** A tool of a server. Thread-safe. */
public final class McpTool implements Tool {
  private static final String NO_PARAMETERS = "{\"type\":\"object\",\"properties\":{}}";

  private final McpTools server;
  private final String tool;
  private final String annotations;
  private final ToolSpec spec;

  private McpTool(McpTools server, String tool, String annotations, ToolSpec spec) {
    this.server = server;
    this.tool = tool;
    this.annotations = annotations;
    this.spec = spec;
  }

  /**
   * A tool.
   *
   * @param schema the JSON text of the schema of its arguments
   * @param annotations JSON text, perhaps null
   */
  static McpTool of(
      McpTools server, String tool, String description, String schema, String annotations) {
    return new McpTool(
        server,
        tool,
        annotations.startsWith("{") ? annotations : "null",
        new ToolSpec(
            ToolSpec.nameOf(server.prefix(), tool),
            description,
            schema.startsWith("{") && Json.fields(schema).containsKey("type")
                ? schema
                : NO_PARAMETERS,
            false));
  }

  /** The name of the server. */
  public String server() {
    return server.name();
  }

  /** What the server calls it; {@link #name()} is what the model calls it. */
  public String tool() {
    return tool;
  }

  /** Whether the server says that it changes nothing. A server may say what it likes. */
  public boolean isReadOnly() {
    return hint("readOnlyHint");
  }

  private boolean hint(String name) {
    Map<String, String> hints = annotations.equals("null") ? Map.of() : Json.fields(annotations);
    return "true".equals(hints.get(name));
  }

  boolean mayBeRepeated() {
    return isReadOnly() || hint("idempotentHint");
  }

  /** As OpenAI's API lists it. */
  public String json() {
    return new JsonObject()
        .put("name", tool)
        .put("description", spec.description())
        .raw("input_schema", spec.parameters())
        .raw("annotations", annotations)
        .toString();
  }

  @Override
  public ToolSpec spec() {
    return spec;
  }

  @Override
  public ToolOutput call(ToolCall call) throws McpFailure, InterruptedException {
    return call(call.arguments());
  }

  /**
   * Calls it.
   *
   * @param arguments the JSON text of an object
   */
  public ToolOutput call(String arguments) throws McpFailure, InterruptedException {
    return server.call(this, arguments);
  }

  @Override
  public boolean needsApproval(ToolCall call) {
    return server.needsApproval(tool);
  }

  @Override
  public Duration timeout() {
    return server.timeout();
  }
}
