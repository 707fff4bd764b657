package dev.clew.mcp;

import dev.clew.json.JsonObject;
import java.util.function.BiFunction;

/**
 * A tool as clients see it, and what it does. Immutable.
 *
 * @param effect what a client may assume of a call
 * @param output the JSON Schema of its result
 */
record Tool(
    String name,
    String title,
    String description,
    Effect effect,
    Schema input,
    String output,
    BiFunction<McpCaller, Arguments, JsonObject> work) {

  enum Effect {
    READS,
    /** Calling it twice adds twice. */
    ADDS,
    /** Calling it twice is the same as once. */
    SETS
  }

  boolean writes() {
    return effect != Effect.READS;
  }

  JsonObject json() {
    return new JsonObject()
        .put("name", name)
        .put("title", title)
        .put("description", description)
        .raw("inputSchema", input.json())
        .raw("outputSchema", output)
        .put(
            "annotations",
            new JsonObject()
                .put("title", title)
                .put("readOnlyHint", !writes())
                .put("destructiveHint", false)
                .put("idempotentHint", effect != Effect.ADDS)
                .put("openWorldHint", false));
  }
}
