package dev.clew.agent;

/**
 * A tool call that waits for a person's decision. Immutable.
 *
 * @param callId the model's name for the call
 * @param agent who wants to call
 * @param toolName what it wants to call
 * @param arguments with what, as JSON text: a decision holds for exactly these
 */
public record Interruption(String callId, String agent, String toolName, String arguments) {}
