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
 * @param incomplete why the answer was cut short, such as {@code max_output_tokens} or {@code
 *     content_filter}; empty if it was not
 */
public record ModelResponse(
    List<Item> output, Usage usage, Optional<String> responseId, Optional<String> incomplete) {
  /** Makes the list unmodifiable. */
  public ModelResponse {
    output = List.copyOf(output);
  }

  /** An answer that was not cut short. */
  public ModelResponse(List<Item> output, Usage usage, Optional<String> responseId) {
    this(output, usage, responseId, Optional.empty());
  }

  /** An answer of a model that counts nothing. */
  public static ModelResponse of(Item... output) {
    return new ModelResponse(List.of(output), Usage.NONE, Optional.empty());
  }
}
