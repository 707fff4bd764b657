package dev.clew.agent;

import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Something that answers: a provider's API, a local server, or the offline model. Implementations
 * are thread-safe.
 */
@FunctionalInterface
public interface Model {

  /**
   * The answer to a request; waits for all of it.
   *
   * @throws dev.clew.ClewException.ModelFailed or another of the family, saying what to do
   */
  ModelResponse respond(ModelRequest request);

  /**
   * The same, with events while the model answers. A listener that throws ends the answer, and this
   * method throws the same. Models that cannot stream deliver all of their text at once.
   */
  default ModelResponse stream(ModelRequest request, Consumer<ModelEvent> listener) {
    ModelResponse response = respond(request);
    response.output().forEach(item -> ModelEvent.ofWhole(item).ifPresent(listener));
    return response;
  }

  /**
   * Whether it can be given tools of this type of the Responses API, such as {@code web_search},
   * besides functions: in the setting {@code tools}, as they were sent.
   */
  default boolean takesTools(String type) {
    return false;
  }

  /**
   * How many tokens a request may have, if that can be found out. It may ask the model's server, so
   * ask once and remember it.
   */
  default OptionalLong contextTokens() {
    return OptionalLong.empty();
  }
}
