package dev.clew.openai;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import dev.clew.ClewException;
import dev.clew.agent.Model;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How to reach OpenAI or another server, and what to use there. Not thread-safe. */
public final class OpenAiBuilder {
  /** Local servers need a key but ignore its value. */
  private static final String NO_KEY = "none";

  private static final String KEY = "OPENAI_API_KEY";
  private static final String BASE_URL = "OPENAI_BASE_URL";

  /** The model if none is named. */
  private static final String DEFAULT_MODEL = "gpt-5.4";

  private final Map<String, String> environment;
  private @Nullable String modelName;
  private @Nullable OpenAIClient client;
  private @Nullable String apiKey;
  private @Nullable String baseUrl;
  private @Nullable String organization;
  private @Nullable String project;
  private @Nullable Duration timeout;
  private @Nullable Integer maxRetries;

  OpenAiBuilder(Map<String, String> environment) {
    this.environment = environment;
  }

  /** The key. By default that of the environment, unless a base URL is set here. */
  public OpenAiBuilder apiKey(String value) {
    apiKey = value;
    return this;
  }

  /** Where the API is, such as {@code http://localhost:8000/v1}. */
  public OpenAiBuilder baseUrl(String value) {
    baseUrl = value;
    return this;
  }

  /** The organization to use. */
  public OpenAiBuilder organization(String value) {
    organization = value;
    return this;
  }

  /** The project to use. */
  public OpenAiBuilder project(String value) {
    project = value;
    return this;
  }

  /** The model for agents and runs that name none. */
  public OpenAiBuilder modelName(String value) {
    modelName = value;
    return this;
  }

  /** A client of the caller's own, which stays the caller's; instead of key, URL and so on. */
  public OpenAiBuilder client(OpenAIClient value) {
    client = value;
    return this;
  }

  /** How long a request may take, to the end of the answer; 10 minutes by default. */
  public OpenAiBuilder timeout(Duration value) {
    timeout = value;
    return this;
  }

  /** How often the client retries before it gives up; twice by default. */
  public OpenAiBuilder maxRetries(int value) {
    if (value < 0) {
      throw new IllegalArgumentException("maxRetries is " + value + "; use 0 for none");
    }
    maxRetries = value;
    return this;
  }

  /** A model over the Responses API. */
  public Model responses() {
    return new OpenAiModel(open(), OpenAiModel.Wire.RESPONSES, name());
  }

  /**
   * A model over Chat Completions, for servers without the Responses API: vLLM, Ollama, llama.cpp
   * and many others. Items are translated to messages and back; the server stores nothing, so runs
   * with a conversation id or a previous response are refused.
   */
  public Model chat() {
    return new OpenAiModel(open(), OpenAiModel.Wire.CHAT, name());
  }

  /** A compactor that lets the provider compact histories, with the model of that name. */
  public OpenAiCompactor compactor() {
    return new OpenAiCompactor(open(), name());
  }

  /** A new conversation at the provider, which its first write creates. Nothing is sent yet. */
  public OpenAiConversationsSession conversation() {
    return new OpenAiConversationsSession(open(), null);
  }

  /** An existing conversation at the provider. Nothing is sent yet. */
  public OpenAiConversationsSession conversation(String id) {
    if (id.isEmpty()) {
      throw new IllegalArgumentException("the conversation id is empty; leave it out instead");
    }
    return new OpenAiConversationsSession(open(), id);
  }

  private String name() {
    return modelName != null
        ? modelName
        : fromEnvironment("OPENAI_DEFAULT_MODEL").orElse(DEFAULT_MODEL);
  }

  private Optional<String> fromEnvironment(String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
  }

  /** The API behind it. Loads and makes a client unless there is one. */
  private Api open() {
    if (client != null
        && (apiKey != null || baseUrl != null || organization != null || project != null)) {
      throw new IllegalArgumentException(
          "a client was given, and with it its key, base URL, organization and project; set them"
              + " there, or leave out the client");
    }
    OpenAIClient base = client == null ? newClient() : client;
    return Api.over(
        timeout == null && maxRetries == null
            ? base
            : base.withOptions(
                options -> {
                  if (timeout != null) {
                    options.timeout(timeout);
                  }
                  if (maxRetries != null) {
                    options.maxRetries(maxRetries);
                  }
                }));
  }

  private OpenAIClient newClient() {
    OpenAIOkHttpClient.Builder builder =
        OpenAIOkHttpClient.builder()
            .apiKey(key())
            .addInterceptor(
                chain -> {
                  Exchange.current().ifPresent(exchange -> exchange.calling(chain.call()));
                  return chain.proceed(chain.request());
                });
    url().ifPresent(builder::baseUrl);
    given(organization, "OPENAI_ORG_ID").ifPresent(builder::organization);
    given(project, "OPENAI_PROJECT_ID").ifPresent(builder::project);
    return builder.build();
  }

  /** A given value, or that of the environment unless a base URL is set here. */
  private Optional<String> given(@Nullable String value, String name) {
    return Optional.ofNullable(value)
        .or(() -> baseUrl == null ? fromEnvironment(name) : Optional.empty());
  }

  private Optional<String> url() {
    return Optional.ofNullable(baseUrl)
        .map(url -> checked("the base URL", url))
        .or(() -> fromEnvironment(BASE_URL).map(url -> checked(BASE_URL, url)));
  }

  private static String checked(String name, String url) {
    try {
      URI uri = new URI(url.strip());
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      if (uri.getHost() != null
          && uri.getPort() <= 65535
          && (scheme.equals("http") || scheme.equals("https"))) {
        return url;
      }
    } catch (URISyntaxException e) {
      // said below
    }
    throw new IllegalArgumentException(
        name
            + " is '"
            + url
            + "', which is not the URL of a server; write for example http://localhost:11434/v1");
  }

  /** The environment's key goes only where the environment says, never to a URL from elsewhere. */
  private String key() {
    if (apiKey != null) {
      return apiKey;
    }
    if (baseUrl != null) {
      return NO_KEY;
    }
    return fromEnvironment(KEY)
        .or(() -> fromEnvironment(BASE_URL).map(url -> NO_KEY))
        .orElseThrow(
            () ->
                new ClewException.Unauthorized(
                    String.format(
                        "there is no key for OpenAI: set the environment variable %s, or %s "
                            + "for a server that needs none",
                        KEY, BASE_URL),
                    null));
  }
}
