package dev.clew.agent;

/**
 * One call of a tool. Immutable.
 *
 * @param callId the model's name for it
 * @param arguments the arguments as JSON text, as the model wrote them
 * @param context the run it is part of
 */
public record ToolCall(String callId, String arguments, RunContext context) {}
