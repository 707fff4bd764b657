package dev.clew.openai;

import dev.clew.agent.Model;
import java.util.Map;

/**
 * Models of OpenAI, and of every server that speaks its API. Stateless; what it makes is
 * thread-safe and needs no closing.
 *
 * <pre>{@code
 * Runner runner = Runner.with(OpenAiModels.fromEnvironment());
 *
 * Model local = OpenAiModels.builder()
 *     .baseUrl("http://localhost:11434/v1")
 *     .modelName("qwen3")
 *     .chat();
 * }</pre>
 *
 * <p>Items go out and come back byte for byte. A thread that is interrupted while it waits for an
 * answer stops waiting at once, and the request is ended; with a client of the caller's own the
 * request is left to its timeout.
 */
public final class OpenAiModels {
  private OpenAiModels() {}

  /**
   * The Responses API, as the environment says: {@code OPENAI_API_KEY}, and if set {@code
   * OPENAI_BASE_URL}, {@code OPENAI_ORG_ID}, {@code OPENAI_PROJECT_ID} and {@code
   * OPENAI_DEFAULT_MODEL}.
   *
   * @throws dev.clew.ClewException.Unauthorized if there is neither a key nor a base URL
   */
  public static Model fromEnvironment() {
    return builder().responses();
  }

  /** For settings that are not in the environment. */
  public static OpenAiBuilder builder() {
    return builder(System.getenv());
  }

  static OpenAiBuilder builder(Map<String, String> environment) {
    return new OpenAiBuilder(environment);
  }
}
