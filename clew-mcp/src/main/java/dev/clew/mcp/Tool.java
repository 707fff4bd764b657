package dev.clew.mcp;

import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.Map;
import java.util.Objects;

/**
 * A tool as clients see it, and what it does. Immutable.
 *
 * @param json what clients are told
 * @param writes whether it changes anything
 */
record Tool(String name, String json, boolean writes, Schema input, Work work) {
  /** What a tool does. Thread-safe. */
  interface Work {
    JsonObject run(McpCaller caller, Arguments given);
  }

  /** A tool of {@code tools.json}. */
  static Tool of(Map<String, Object> description, Map<String, Work> work) {
    String name = String.valueOf(description.get("name"));
    boolean reads = Boolean.TRUE.equals(object(description, "annotations").get("readOnlyHint"));
    return new Tool(
        name,
        Json.write(description),
        !reads,
        Schema.of(object(description, "inputSchema")),
        Objects.requireNonNull(work.get(name), name));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(Map<String, Object> json, String name) {
    return (Map<String, Object>) Objects.requireNonNull(json.get(name), name);
  }
}
