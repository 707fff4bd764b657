package dev.clew.server;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import dev.clew.SessionStore;
import dev.clew.server.internal.http.Route;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.ServerSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import okhttp3.Interceptor;
import okhttp3.Response;

/** A server of a test, on any free port, and the clients that call it. Thread-safe. */
public final class LiveServer implements AutoCloseable {
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<OpenAIClient> clients = new ArrayList<>();
  private final ClewServer server;
  private final DocumentedApi documented;

  public LiveServer(SessionStore store, UnaryOperator<ServerSettings> settings) {
    try {
      server = ClewServer.start(settings.apply(ServerSettings.of(store).at("127.0.0.1", 0)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    documented = DocumentedApi.of(server.routes());
  }

  public LiveServer(SessionStore store) {
    this(store, UnaryOperator.identity());
  }

  public ClewServer server() {
    return server;
  }

  /** Everything it answers. */
  public List<Route> routes() {
    return server.routes();
  }

  /** A token that may read and write what is the owner's. */
  public String token(String owner) {
    return server.tokens().create(owner, "test", Scope.OWN, Optional.empty()).secret();
  }

  /** The official client, as an owner. */
  public OpenAIClient openAi(String owner) {
    OpenAIClient client =
        OpenAIOkHttpClient.builder()
            .apiKey(token(owner))
            .baseUrl(server.url() + "/v1")
            .maxRetries(0)
            .addInterceptor(this::checked)
            .build();
    clients.add(client);
    return client;
  }

  private Response checked(Interceptor.Chain chain) throws IOException {
    Response response = chain.proceed(chain.request());
    String type = response.header("content-type", "");
    if (!type.startsWith("text/event-stream")) { // which is read as it comes
      String path = chain.request().url().encodedPath();
      String body = response.peekBody(Long.MAX_VALUE).string();
      documented().check(chain.request().method(), path, response.code(), type, body);
    }
    return response;
  }

  /** A request as it stands on the wire. */
  public HttpResponse<String> send(String method, String path, String body, String... headers) {
    HttpResponse<String> response =
        send(HttpResponse.BodyHandlers.ofString(), method, path, body, headers);
    documented().check(method, path, response.statusCode(), contentType(response), response.body());
    return response;
  }

  public static String contentType(HttpResponse<?> response) {
    return response.headers().firstValue("content-type").orElse("");
  }

  /** What answers must be like. */
  public DocumentedApi documented() {
    return documented;
  }

  /** A request whose answer is read as it comes. */
  public EventReader events(String method, String path, String body, String... headers) {
    return new EventReader(
        send(HttpResponse.BodyHandlers.ofInputStream(), method, path, body, headers),
        documented().answered(method, path)::checkEvent);
  }

  private <T> HttpResponse<T> send(
      HttpResponse.BodyHandler<T> handler,
      String method,
      String path,
      String body,
      String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.url() + path))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    try {
      return http.send(request.build(), handler);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    clients.forEach(OpenAIClient::close);
    server.close();
  }
}
