package dev.clew.agent;

/**
 * A tool as the model sees it. Immutable.
 *
 * @param name letters, digits, {@code _} and {@code -}
 * @param description what it does and when to use it
 * @param parameters the JSON schema of its arguments
 * @param strict whether the model is held to the schema exactly
 */
public record ToolSpec(String name, String description, String parameters, boolean strict) {}
