package dev.clew.agent;

import dev.clew.Item;
import java.util.List;
import java.util.Optional;

/**
 * What a run asks a model. Immutable.
 *
 * @param model the name of the model; empty for the provider's default
 * @param instructions the instructions for the model; may be empty
 * @param input the conversation, oldest first
 * @param tools what it may call
 * @param outputSchema what the final answer must look like, if it must
 * @param settings how to answer
 * @param conversationId the conversation at the provider that holds what came before
 * @param previousResponseId the response at the provider that this one follows
 */
public record ModelRequest(
    String model,
    String instructions,
    List<Item> input,
    List<ToolSpec> tools,
    Optional<OutputSchema> outputSchema,
    ModelSettings settings,
    Optional<String> conversationId,
    Optional<String> previousResponseId) {

  /** Makes the lists unmodifiable. */
  public ModelRequest {
    input = List.copyOf(input);
    tools = List.copyOf(tools);
  }

  /** A conversation and nothing else. */
  public static ModelRequest of(String instructions, List<Item> input) {
    return new ModelRequest(
        "",
        instructions,
        input,
        List.of(),
        Optional.empty(),
        ModelSettings.DEFAULT,
        Optional.empty(),
        Optional.empty());
  }

  /** The same request with other instructions. */
  public ModelRequest instructions(String text) {
    return new ModelRequest(
        model, text, input, tools, outputSchema, settings, conversationId, previousResponseId);
  }

  /** The same request with other settings. */
  public ModelRequest settings(ModelSettings value) {
    return new ModelRequest(
        model, instructions, input, tools, outputSchema, value, conversationId, previousResponseId);
  }

  /** The same request with other input. */
  public ModelRequest input(List<Item> items) {
    return new ModelRequest(
        model,
        instructions,
        items,
        tools,
        outputSchema,
        settings,
        conversationId,
        previousResponseId);
  }
}
