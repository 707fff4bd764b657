package dev.clew.openai;

import dev.clew.agent.Model;
import dev.clew.agent.ModelProvider;
import java.util.Map;

/** Opens {@code openai:NAME}, a model over the Responses API. Stateless and thread-safe. */
public final class ResponsesModelProvider implements ModelProvider {
  /** For {@link java.util.ServiceLoader}. */
  public ResponsesModelProvider() {}

  @Override
  public String scheme() {
    return "openai";
  }

  @Override
  public Model open(String name, Map<String, String> environment) {
    return OpenAiModels.builder(environment).modelName(name).responses();
  }
}
