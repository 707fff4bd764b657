package dev.clew.agent;

import dev.clew.Item;
import java.util.List;
import java.util.Optional;

/**
 * What a model answered. Immutable.
 *
 * @param output messages, tool calls, reasoning, in order, as the model wrote them
 * @param usage what it cost
 * @param responseId the provider's id of the response, if it has one
 */
public record ModelResponse(List<Item> output, Usage usage, Optional<String> responseId) {
  /** Makes the list unmodifiable. */
  public ModelResponse {
    output = List.copyOf(output);
  }

  /** An answer of a model that counts nothing. */
  public static ModelResponse of(Item... output) {
    return new ModelResponse(List.of(output), Usage.NONE, Optional.empty());
  }
}
