package dev.clew.openai;

import dev.clew.agent.Model;
import dev.clew.agent.ModelProvider;
import java.util.Map;

/**
 * Opens {@code chat:NAME}, a model over Chat Completions, which vLLM, Ollama and llama.cpp speak.
 * Stateless and thread-safe.
 */
public final class ChatModelProvider implements ModelProvider {
  /** For {@link java.util.ServiceLoader}. */
  public ChatModelProvider() {}

  @Override
  public String scheme() {
    return "chat";
  }

  @Override
  public Model open(String name, Map<String, String> environment) {
    return OpenAiModels.builder(environment).modelName(name).chat();
  }
}
