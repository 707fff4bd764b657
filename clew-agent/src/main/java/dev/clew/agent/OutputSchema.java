package dev.clew.agent;

/**
 * What a final answer must look like. Immutable.
 *
 * @param name a short name for the model
 * @param schema the JSON schema
 * @param strict whether the model is held to the schema exactly
 */
public record OutputSchema(String name, String schema, boolean strict) {}
