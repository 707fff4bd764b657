package dev.clew.openai;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import dev.clew.ClewException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How to reach a server: what models and sessions have in common. Not thread-safe; used while one
 * of them is built.
 */
final class Connection {
  /** Local servers want some key and look at none. */
  private static final String NO_KEY = "none";

  private static final String KEY = "OPENAI_API_KEY";
  private static final String BASE_URL = "OPENAI_BASE_URL";

  private final Map<String, String> environment;
  private @Nullable OpenAIClient client;
  private @Nullable String apiKey;
  private @Nullable String baseUrl;
  private @Nullable String organization;
  private @Nullable String project;
  private @Nullable Duration timeout;
  private @Nullable Integer maxRetries;

  Connection(Map<String, String> environment) {
    this.environment = environment;
  }

  void client(OpenAIClient value) {
    client = value;
  }

  void apiKey(String value) {
    apiKey = value;
  }

  void baseUrl(String value) {
    baseUrl = value;
  }

  void organization(String value) {
    organization = value;
  }

  void project(String value) {
    project = value;
  }

  void timeout(Duration value) {
    timeout = value;
  }

  void maxRetries(int value) {
    if (value < 0) {
      throw new IllegalArgumentException("maxRetries is " + value + "; use 0 for none");
    }
    maxRetries = value;
  }

  Optional<String> fromEnvironment(String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
  }

  /** The API behind it. Loads and makes a client unless there is one. */
  Api open() {
    if (client == null) {
      return Api.over(newClient());
    }
    if (apiKey != null || baseUrl != null || organization != null || project != null) {
      throw new IllegalArgumentException(
          "a client was given, and with it its key, base URL, organization and project; set them"
              + " there, or leave out the client");
    }
    OpenAIClient given = client;
    if (timeout != null || maxRetries != null) {
      given =
          given.withOptions(
              options -> {
                if (timeout != null) {
                  options.timeout(timeout);
                }
                if (maxRetries != null) {
                  options.maxRetries(maxRetries);
                }
              });
    }
    return Api.over(given);
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
    if (organization != null) {
      builder.organization(organization);
    } else if (baseUrl == null) {
      fromEnvironment("OPENAI_ORG_ID").ifPresent(builder::organization);
    }
    if (project != null) {
      builder.project(project);
    } else if (baseUrl == null) {
      fromEnvironment("OPENAI_PROJECT_ID").ifPresent(builder::project);
    }
    if (timeout != null) {
      builder.timeout(timeout);
    }
    if (maxRetries != null) {
      builder.maxRetries(maxRetries);
    }
    return builder.build();
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
                    "there is no key for OpenAI: set the environment variable "
                        + KEY
                        + ", or "
                        + BASE_URL
                        + " for a server that needs none",
                    null));
  }
}
