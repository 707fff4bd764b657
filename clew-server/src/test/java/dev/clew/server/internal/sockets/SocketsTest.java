package dev.clew.server.internal.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.agent.ModelEvent;
import dev.clew.json.Json;
import dev.clew.memory.MemoryStore;
import dev.clew.server.Caller;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.SocketClient;
import dev.clew.server.operate.Scope;
import dev.clew.server.operate.Tokens;
import dev.clew.server.settings.LimitSettings;
import dev.clew.server.settings.ServerSettings;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may open a socket, how many, and how it ends. */
@Tag("hostile")
class SocketsTest {
  private static final String HANDSHAKE =
      String.join(
          "\r\n",
          "GET /v1/responses HTTP/1.1",
          "Host: localhost",
          "Upgrade: websocket",
          "Connection: Upgrade",
          "");
  private static final String KEY =
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

  private final MemoryStore store = MemoryStore.builder().build();
  private final ScriptedModel model = new ScriptedModel();
  private final List<String> log = new CopyOnWriteArrayList<>();
  private LiveServer live = serve(settings -> settings);

  private LiveServer serve(UnaryOperator<ServerSettings> more) {
    return new LiveServer(
        store,
        settings ->
            more.apply(
                settings
                    .model(model, "m")
                    .openMetrics(true)
                    .requestLog(ServerSettings.LogFormat.TEXT, log::add)));
  }

  private void serveAgain(UnaryOperator<ServerSettings> more) {
    live.close();
    live = serve(more);
  }

  @AfterEach
  void stop() {
    model.go();
    live.close();
    store.close();
  }

  private String bearer() {
    return "Bearer " + live.token("ann");
  }

  private SocketClient open() {
    return SocketClient.open(live, "Authorization", bearer());
  }

  private String metrics() {
    return live.send("GET", "/metrics", "").body();
  }

  /** The head of the answer to a handshake as it stands on the wire. */
  private String handshake(String head) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), live.server().port())) {
      socket.setSoTimeout((int) Eventually.DEADLINE.toMillis());
      socket.getOutputStream().write((head + "\r\n").getBytes(StandardCharsets.UTF_8));
      InputStream in = socket.getInputStream();
      StringBuilder answer = new StringBuilder();
      while (answer.indexOf("\r\n\r\n") < 0) {
        int read = in.read();
        if (read < 0) {
          break;
        }
        answer.append((char) read);
      }
      return answer.toString();
    }
  }

  @Test
  void onlyThoseWhoMayWriteAreAdmitted() {
    Tokens tokens = live.server().tokens();
    String reader = tokens.create("ann", "", Set.of(Scope.READ), Optional.empty()).secret();
    Tokens.Created revoked = tokens.create("ann", "", Scope.OWN, Optional.empty());
    tokens.revoke(revoked.token().id());
    assertThat(SocketClient.refused(live).statusCode()).isEqualTo(401);
    for (String bad : List.of("clew_forged", revoked.secret())) {
      HttpResponse<?> refused = SocketClient.refused(live, "Authorization", "Bearer " + bad);
      assertThat(refused.statusCode()).isEqualTo(401);
      assertThat(refused.headers().firstValue("www-authenticate")).isPresent();
    }
    assertThat(SocketClient.refused(live, "Authorization", "Bearer " + reader).statusCode())
        .isEqualTo(403);
    try (SocketClient socket = open()) {
      socket.create("'input':'hi'").completed();
    }
  }

  @Test
  void pagesOfOtherOriginsAndCookiesWithoutOriginAreRefused() throws IOException {
    String set =
        live.send("POST", "/sign-in", "token=" + bearer().substring(7))
            .headers()
            .firstValue("set-cookie")
            .orElseThrow();
    String cookie = "Cookie: " + set.substring(0, set.indexOf(';')) + "\r\n";
    String token = "Authorization: " + bearer() + "\r\n";
    assertThat(handshake(HANDSHAKE + KEY + cookie)).startsWith("HTTP/1.1 403");
    assertThat(handshake(HANDSHAKE + KEY + cookie + "Origin: http://evil.example\r\n"))
        .startsWith("HTTP/1.1 403");
    assertThat(handshake(HANDSHAKE + KEY + token + "Origin: http://evil.example\r\n"))
        .startsWith("HTTP/1.1 403");
    assertThat(handshake(HANDSHAKE + KEY + cookie + "Origin: http://localhost\r\n"))
        .startsWith("HTTP/1.1 101")
        .doesNotContain("Sec-WebSocket-Extensions", "Sec-WebSocket-Protocol");
    assertThat(handshake((HANDSHAKE + KEY + token).replace("localhost", "rebound.example")))
        .startsWith("HTTP/1.1 403");
  }

  @ParameterizedTest
  @CsvSource({
    "'GET /v1/responses HTTP/1.1', '', 426",
    "'GET /responses HTTP/1.1', '', 426",
    "'GET /v1/responses HTTP/1.0', 'Upgrade: websocket|Connection: Upgrade|KEY', 426",
    "'GET /v1/responses HTTP/1.1', 'Upgrade: websocket|KEY', 400",
    "'GET /v1/responses HTTP/1.1', 'Upgrade: h2c|Connection: Upgrade|KEY', 426",
    "'GET /v1/responses HTTP/1.1', 'Upgrade: websocket|Connection: Upgrade|Sec-WebSocket-Version: 8|Sec-WebSocket-Key: x', 426",
    "'GET /v1/responses HTTP/1.1', 'Upgrade: websocket|Connection: Upgrade|Sec-WebSocket-Version: 13', 400",
    "'GET /responses?any=1 HTTP/1.1', 'Upgrade: websocket|Connection: Upgrade|KEY', 101",
    "'GET /v1/models HTTP/1.1', 'Upgrade: websocket|Connection: Upgrade|KEY', 200",
  })
  void onlyAHandshakeOpensASocket(String line, String headers, int status) throws IOException {
    String head =
        line
            + "\r\nHost: localhost\r\nAuthorization: "
            + bearer()
            + "\r\n"
            + headers.replace("KEY", KEY.strip()).replaceAll("\\|(?=\\S)", "\r\n")
            + (headers.isEmpty() ? "" : "\r\n");
    assertThat(handshake(head)).startsWith("HTTP/1.1 " + status);
    Eventually.ask("none is left", this::metrics, all -> all.contains("clew_sockets_open 0.0"));
  }

  @Test
  void messagesCountAsRequests_inLimitsMetricsAndLog() {
    serveAgain(settings -> settings.limits(LimitSettings.DEFAULT.requestsPerMinute(3)));
    try (SocketClient socket = open()) {
      socket.create("'input':'one'").completed();
      socket.create("'input':'two'").completed();
      assertThat(socket.create("'input':'three'").error(429, "rate_limit_exceeded").toString())
          .contains("retry-after");
      String refused = "method=\"WS\",route=\"/v1/responses\",status=\"429\"";
      assertThat(Eventually.ask("counted", this::metrics, text -> text.contains(refused)))
          .contains("clew_sockets_open 1.0")
          .contains("method=\"WS\",route=\"/v1/responses\",status=\"200\"");
      assertThat(log).anyMatch(line -> line.contains(" WS /v1/responses 200 "));
    }
  }

  @Test
  void aSocketWhoseTokenIsRevokedEnds_alsoIfItIsIdle() {
    Tokens.Created token = live.server().tokens().create("ann", "", Scope.OWN, Optional.empty());
    SocketClient idle = SocketClient.open(live, "Authorization", "Bearer " + token.secret());
    SocketClient busy = SocketClient.open(live, "Authorization", "Bearer " + token.secret());
    ScriptedModel.Held held = model.thenHold("half", " and more");
    busy.create("'input':'x','store':false");
    Eventually.open("it runs", held.begun);
    live.server().tokens().revoke(token.token().id());
    idle.error(401, "invalid_api_key");
    assertThat(idle.closedWith()).isEqualTo(1008);
    assertThat(busy.closedWith()).isEqualTo(1008);
    held.release();
  }

  @Test
  void aStoppingServerClosesIdleSocketsAtOnce_andOthersWhenTheirAnswerIsThere() {
    SocketClient idle = open();
    SocketClient busy = open();
    ScriptedModel.Held held = model.thenHold("slow", "ly");
    busy.create("'input':'x'");
    Eventually.open("it runs", held.begun);
    var stopping = CompletableFuture.runAsync(live::close);
    assertThat(idle.closedWith()).isEqualTo(1001);
    assertThat(busy.isClosed()).isFalse();
    held.release();
    busy.completed();
    assertThat(busy.closedWith()).isEqualTo(1001);
    Eventually.value(stopping);
    live = serve(settings -> settings);
  }

  @Test
  void aServerThatStopsTooSoonFailsTheAnswer() {
    serveAgain(settings -> settings.turns(settings.turns().stopWait(Duration.ofMillis(1))));
    SocketClient busy = open();
    ScriptedModel.Held held = model.thenHold("slow", "ly");
    busy.create("'input':'x'").create("'input':'waits'");
    Eventually.open("it runs", held.begun);
    live.close();
    busy.until("response.failed");
    busy.error(503, "server_is_overloaded");
    assertThat(busy.closedWith()).isEqualTo(1001);
    live = serve(settings -> settings);
  }

  @Test
  void aMessageThatIsTooLargeClosesTheSocket() {
    SocketClient socket = open();
    String part = "x".repeat(17 << 20);
    socket.sendPart(part).send(part);
    assertThat(socket.closedWith()).isEqualTo(1009);
    assertThat(metrics()).doesNotContain("clew_sockets_open 1.0");
  }

  @Test
  void manySocketsThatSayNothingAreLimitedForEachOwner_andOthersStillGetTheirs() {
    String bearer = bearer();
    List<SocketClient> all = new ArrayList<>();
    for (int i = 0; i < Sockets.MOST_OF_OWNER; i++) {
      all.add(SocketClient.open(live, "Authorization", bearer));
    }
    assertThat(SocketClient.refused(live, "Authorization", bearer).statusCode()).isEqualTo(429);
    String bob = "Bearer " + live.token("bob");
    try (SocketClient other = SocketClient.open(live, "Authorization", bob)) {
      other.create("'input':'x'").completed();
    }
    all.remove(0).close();
    Eventually.ask(
        "a place is free",
        this::metrics,
        metrics -> metrics.contains("clew_sockets_open " + (Sockets.MOST_OF_OWNER - 1) + ".0"));
    all.add(SocketClient.open(live, "Authorization", bearer));
    all.forEach(SocketClient::abort);
    Eventually.ask("all are gone", this::metrics, text -> text.contains("clew_sockets_open 0.0"));
  }

  /** It takes half a minute, which is how long a client may read nothing. */
  @Test
  void aClientThatReadsNothingIsCutOff() {
    String piece = "0123456789".repeat(1000);
    model.then(
        (request, listener) -> {
          for (int i = 0; i < 4000; i++) {
            listener.accept(new ModelEvent.TextDelta(piece));
          }
          return ScriptedModel.counted(Item.assistant("done"));
        });
    SocketClient deaf = SocketClient.open(live.server().url(), 1, "Authorization", bearer());
    deaf.create("'input':'x'");
    Eventually.ask("it is cut off", this::metrics, all -> all.contains("clew_sockets_open 0.0"));
    String id = Caller.object(Json.readObject(deaf.next()).get("response")).get("id").toString();
    Eventually.ask(
        "the stored response is whole",
        () -> live.send("GET", "/v1/responses/" + id, "", "Authorization", bearer()).body(),
        body -> body.contains("\"status\":\"completed\""));
    deaf.abort();
  }

  @Test
  void manyMessagesAtOnceAreAllAnsweredInOrder() {
    try (SocketClient socket = open()) {
      for (int i = 0; i < 300; i++) {
        socket.create("'input':'n" + i + "','store':false");
      }
      for (int i = 0; i < 300; i++) {
        assertThat(Json.write(socket.completed())).contains("echo n" + i + "\"");
      }
    }
  }
}
