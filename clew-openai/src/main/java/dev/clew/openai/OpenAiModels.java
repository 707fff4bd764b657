package dev.clew.openai;

import com.openai.client.OpenAIClient;
import dev.clew.agent.Model;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
  /** The model that is asked when nobody names one. */
  static final String DEFAULT_MODEL = "gpt-5.4";

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

  /** For everything that the environment does not say. */
  public static Builder builder() {
    return builder(System.getenv());
  }

  static Builder builder(Map<String, String> environment) {
    return new Builder(new Connection(environment));
  }

  /** What a model needs to be reached. Not thread-safe. */
  public static final class Builder {
    private final Connection connection;
    private @Nullable String modelName;

    Builder(Connection connection) {
      this.connection = connection;
    }

    /** The key. Otherwise that of the environment, unless a base URL is set here. */
    public Builder apiKey(String value) {
      connection.apiKey(value);
      return this;
    }

    /** Where the API is, such as {@code http://localhost:8000/v1}. */
    public Builder baseUrl(String value) {
      connection.baseUrl(value);
      return this;
    }

    /** The organization that requests are of. */
    public Builder organization(String value) {
      connection.organization(value);
      return this;
    }

    /** The project that requests are of. */
    public Builder project(String value) {
      connection.project(value);
      return this;
    }

    /** The model that is asked when neither agent nor run name one. */
    public Builder modelName(String value) {
      modelName = value;
      return this;
    }

    /** A client of the caller's own, which stays the caller's; instead of key, URL and so on. */
    public Builder client(OpenAIClient value) {
      connection.client(value);
      return this;
    }

    /** How long a request may take, to the end of the answer; ten minutes if nobody says. */
    public Builder timeout(Duration value) {
      connection.timeout(value);
      return this;
    }

    /** How often the client tries again before it gives up; twice if nobody says. */
    public Builder maxRetries(int value) {
      connection.maxRetries(value);
      return this;
    }

    /** A model over the Responses API. */
    public Model responses() {
      return new ResponsesModel(connection.open(), name());
    }

    /**
     * A model over Chat Completions, for servers without the Responses API: vLLM, Ollama, llama.cpp
     * and many others. Items are translated to messages and back; the server stores nothing, so
     * runs with a conversation id or a previous response are refused.
     */
    public Model chat() {
      return new ChatModel(connection.open(), name());
    }

    /** What lets the provider make histories shorter, by the model of that name. */
    public OpenAiCompactor compactor() {
      return new OpenAiCompactor(connection.open(), name());
    }

    private String name() {
      return modelName != null
          ? modelName
          : connection.fromEnvironment("OPENAI_DEFAULT_MODEL").orElse(DEFAULT_MODEL);
    }
  }
}
