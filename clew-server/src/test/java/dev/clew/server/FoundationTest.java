package dev.clew.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.memory.MemoryStore;
import dev.clew.server.auth.Principal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds for every route: who is let in, where from, how much, and the shape of refusals. */
class FoundationTest {
  private final MemoryStore store = MemoryStore.builder().build();
  private final HttpClient client = HttpClient.newHttpClient();
  private ClewServer server;

  @BeforeEach
  void start() throws Exception {
    server = ClewServer.start(ServerSettings.of(store).at("127.0.0.1", 0));
  }

  @AfterEach
  void stop() {
    server.close();
    store.close();
  }

  private HttpResponse<String> get(String path, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.url() + path));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void healthIsForEverybody() throws Exception {
    HttpResponse<String> answer = get("/healthz");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("{\"status\":\"ok\"}");
    assertThat(answer.headers().firstValue("x-request-id")).isPresent();
  }

  @Test
  void anUnknownPathIsAnInvalidUrl() throws Exception {
    HttpResponse<String> answer = get("/v1/nothing");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).contains("Invalid URL (GET /v1/nothing)");
  }

  @Test
  void aLinkSignsInOnce() throws Exception {
    String link = server.signInLink().substring(server.url().length());
    HttpResponse<String> first = get(link);
    assertThat(first.statusCode()).isEqualTo(302);
    assertThat(first.headers().firstValue("set-cookie").orElseThrow())
        .contains("HttpOnly")
        .contains("SameSite=Strict");
    assertThat(get(link).statusCode()).isEqualTo(403);
  }

  @Test
  void aTokenIsKnownUntilItIsRevoked() {
    var made = server.tokens().create("ann", "laptop", Principal.OWN, Optional.empty());
    assertThat(server.tokens().verify(made.secret()).orElseThrow().owner()).isEqualTo("ann");
    assertThat(server.tokens().revoke(made.token().id())).isTrue();
    assertThat(server.tokens().verify(made.secret())).isEmpty();
  }
}
