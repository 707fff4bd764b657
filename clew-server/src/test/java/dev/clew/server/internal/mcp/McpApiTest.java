package dev.clew.server.internal.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.server.LiveServer;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.OpenIdSettings;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The transport; what the messages say is tested in clew-mcp. */
class McpApiTest {
  private static final String LIST =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"list_conversations\"}}";

  private final SessionStore store = Stores.open("memory:");
  private final LiveServer live = new LiveServer(store);

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private HttpResponse<String> post(String token, String body, String... more) {
    String[] headers = new String[more.length + 2];
    headers[0] = "Authorization";
    headers[1] = "Bearer " + token;
    System.arraycopy(more, 0, headers, 2, more.length);
    return live.send("POST", "/mcp", body, headers);
  }

  private void say(String owner, String id, String text) {
    store.session(new SessionKey(owner, id)).addItems(List.of(Item.user(text)));
  }

  @Test
  void anOwner_seesTheirSessionsOnly() {
    say("ann", "a", "hers");
    say("bob", "b", "his");
    assertThat(post(live.token("ann"), LIST).body()).contains("hers").doesNotContain("his");
  }

  @Test
  void toolsThatWrite_needTheScopeToWrite() {
    String reader =
        live.server().tokens().create("ann", "", Set.of(Scope.READ), Optional.empty()).secret();
    String list = LIST.replace("tools/call", "tools/list");
    String add =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"append_message\","
            + "\"arguments\":{\"role\":\"user\",\"text\":\"hello\"}}}";
    assertThat(post(reader, list).body()).doesNotContain("append_message");
    assertThat(post(reader, add).body()).contains("-32602");
    assertThat(store.list(SessionQuery.of("ann")).sessions()).isEmpty();
    String writer = live.token("ann");
    assertThat(post(writer, list).body()).contains("append_message");
    assertThat(post(writer, add).body()).contains("structuredContent");
  }

  @Test
  void aNotification_isAcceptedWithoutABody() {
    HttpResponse<String> accepted =
        post(live.token("ann"), "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    assertThat(accepted.statusCode()).isEqualTo(202);
    assertThat(accepted.body()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Content-Type | text/plain | 415",
        "Content-Type | application/json; charset=utf-8 | 200",
        "Accept | text/html | 406",
        "Accept | application/json | 406",
        "Accept | text/event-stream;q=0.5, application/json | 200",
        "Accept | */* | 200",
        "Origin | https://evil.example | 403",
        "MCP-Protocol-Version | 2025-06-18 | 200",
        "MCP-Protocol-Version | 1999-01-01 | 400"
      })
  void headers_areChecked(String name, String value, int status) {
    assertThat(post(live.token("ann"), LIST, name, value).statusCode()).isEqualTo(status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"forged", "../../etc/passwd", "bob"})
  void aSessionIdThatNobodyGave_changesNothing(String id) {
    say("ann", "a", "hers");
    say("bob", "b", "his");
    HttpResponse<String> answer = post(live.token("ann"), LIST, "Mcp-Session-Id", id);
    assertThat(answer.body()).contains("hers").doesNotContain("his");
    assertThat(answer.headers().firstValue("Mcp-Session-Id")).isEmpty();
  }

  @Test
  void aMessageThatIsSentTwice_isAnsweredTwice_andABatchRefused() {
    String token = live.token("ann");
    say("ann", "a", "hers");
    assertThat(post(token, LIST).body()).isEqualTo(post(token, LIST).body());
    HttpResponse<String> batch = post(token, "[" + LIST + "," + LIST + "]");
    assertThat(batch.statusCode()).isEqualTo(400);
    assertThat(batch.body()).contains("-32600");
  }

  @ParameterizedTest
  @CsvSource({"GET", "DELETE"})
  void thereIsNoStream_andNoSessionToEnd(String method) {
    HttpResponse<String> refused =
        live.send(method, "/mcp", "", "Authorization", "Bearer " + live.token("ann"));
    assertThat(refused.statusCode()).isEqualTo(405);
    assertThat(refused.headers().firstValue("Allow")).hasValue("POST");
  }

  @Test
  void withoutAProvider_aCallerIsAskedForATokenOnly() {
    HttpResponse<String> refused = live.send("POST", "/mcp", LIST);
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
    assertThat(live.send("GET", "/.well-known/oauth-protected-resource/mcp", "").statusCode())
        .isEqualTo(404);
  }

  @Test
  void withAProvider_aCallerLearnsWhereTokensAre() {
    OpenIdSettings provider =
        OpenIdSettings.of("https://id.example.org", "clew", URI.create("http://127.0.0.1:1/keys"));
    try (LiveServer other = new LiveServer(store, settings -> settings.openId(provider))) {
      String challenge =
          other.send("POST", "/mcp", LIST).headers().firstValue("WWW-Authenticate").orElseThrow();
      String at = "/.well-known/oauth-protected-resource/mcp";
      assertThat(challenge)
          .isEqualTo("Bearer resource_metadata=\"" + other.server().url() + at + "\"");
      assertThat(other.send("GET", at, "").body())
          .contains("\"resource\":\"" + other.server().url() + "/mcp\"")
          .contains("\"authorization_servers\":[\"https://id.example.org\"]");
      assertThat(other.send("GET", "/v1/models", "").headers().firstValue("WWW-Authenticate"))
          .hasValue("Bearer");
    }
  }
}
