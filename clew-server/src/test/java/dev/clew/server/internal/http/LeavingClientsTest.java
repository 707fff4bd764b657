package dev.clew.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.memory.MemoryStore;
import dev.clew.server.Caller;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.settings.LimitSettings;
import dev.clew.server.settings.ServerSettings;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clients that go away. Each owner may have one call open, so whoever is let in again has got its
 * place back.
 */
@Tag("hostile")
class LeavingClientsTest {
  private static final Pattern LENGTH = Pattern.compile("Content-Length: (\\d+)");

  private final MemoryStore store = MemoryStore.builder().build();
  private final ScriptedModel model = new ScriptedModel();
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final LiveServer live =
      new LiveServer(
          store,
          settings ->
              settings
                  .model(model, "tiny")
                  .openMetrics(true)
                  .limits(LimitSettings.NONE.openCalls(1))
                  .requestLog(ServerSettings.LogFormat.TEXT, log::add));
  private final Caller ann = new Caller(live, "ann");
  private long asked;
  private final List<Socket> sockets = new ArrayList<>();
  private final List<ScriptedModel.Held> held = new ArrayList<>();

  @AfterEach
  void stop() throws IOException {
    held.forEach(ScriptedModel.Held::release);
    for (Socket socket : sockets) {
      socket.close();
    }
    live.close();
    store.close();
  }

  /** A call whose client may leave. */
  enum Call {
    CHAT("/api/chat", "{\"message\":\"hello\",\"session_id\":\"s\"}"),
    CHAT_STREAM("/api/chat", "{\"message\":\"hello\",\"session_id\":\"s\",\"stream\":true}"),
    RESPONSE("/v1/responses", "{\"model\":\"tiny\",\"input\":\"hello\",\"conversation\":\"s\"}"),
    RESPONSE_STREAM(
        "/v1/responses",
        "{\"model\":\"tiny\",\"input\":\"hello\",\"conversation\":\"s\",\"stream\":true}");

    final String path;
    final String body;

    Call(String path, String body) {
      this.path = path;
      this.body = body;
    }

    boolean isStreamed() {
      return body.contains("stream");
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), live.server().port());
    socket.setSoTimeout((int) Eventually.DEADLINE.toMillis());
    sockets.add(socket);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
  }

  private String head(Call call) {
    return "POST "
        + call.path
        + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: "
        + ann.bearer()
        + "\r\nContent-Length: "
        + call.body.length()
        + "\r\n\r\n";
  }

  /** A call whose answer has begun to be thought about, and goes on only when it is let. */
  private Socket calling(Call call) throws IOException {
    store.session(new SessionKey("ann", "s")).update(SessionUpdate.none());
    ScriptedModel.Held answer = model.thenHold("Half", " and more");
    held.add(answer);
    Socket socket = connect();
    send(socket, head(call) + call.body);
    Eventually.open("the model is asked", answer.begun);
    return socket;
  }

  private static void reset(Socket socket) throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  /** The whole body: a short stream may have a length, as it is sent at once when it ends early. */
  private static String answer(InputStream in) throws IOException {
    Matcher length = LENGTH.matcher(until(in, "\r\n\r\n"));
    return length.find()
        ? new String(in.readNBytes(Integer.parseInt(length.group(1))), StandardCharsets.UTF_8)
        : until(in, "\r\n0\r\n\r\n");
  }

  private static String until(InputStream in, String what) throws IOException {
    StringBuilder heard = new StringBuilder();
    while (heard.indexOf(what) < 0) {
      int next = in.read();
      assertThat(next).as("the end instead of '%s' behind: %s", what, heard).isNotNegative();
      heard.append((char) next);
    }
    return heard.toString();
  }

  private int ask() {
    int status = ann.get("/api/me").status();
    asked += status == 200 ? 1 : 0;
    return status;
  }

  private void assertItsPlaceIsFree() {
    Eventually.ask("a place", this::ask, status -> status == 200);
    Eventually.ask( // the answer is here a moment before its place is free
        "our own question is over",
        () -> log.stream().filter(line -> line.contains(" GET /api/me 200")).count(),
        count -> count == asked);
    Eventually.ask(
        "no stream is open",
        () -> live.send("GET", "/metrics", "").body(),
        metrics -> metrics.contains("\nclew_streams_open 0"));
  }

  private void assertItIsLoggedAndCounted(Call call, int status) {
    Eventually.ask(
        "a line in the log",
        () -> log,
        lines -> lines.stream().anyMatch(it -> it.contains(" POST " + call.path + " " + status)));
    assertThat(live.send("GET", "/metrics", "").body())
        .contains(
            "clew_http_requests_seconds_count{method=\"POST\",route=\""
                + call.path
                + "\",status=\""
                + status
                + "\"} 1");
  }

  private void assertTheTurnGoesOnAndIsStored() {
    held.forEach(ScriptedModel.Held::release);
    Eventually.ask(
        "the answer is stored",
        () -> store.session(new SessionKey("ann", "s")).getItems(),
        items -> items.toString().contains("Half and more"));
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void closedWhileTheModelThinks(Call call) throws Exception {
    calling(call).close();
    assertItsPlaceIsFree();
    assertItIsLoggedAndCounted(call, 499);
    assertTheTurnGoesOnAndIsStored();
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void resetWhileTheModelThinks(Call call) throws Exception {
    reset(calling(call));
    assertItsPlaceIsFree();
    assertItIsLoggedAndCounted(call, 499);
    assertTheTurnGoesOnAndIsStored();
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void whoHasOnlyNothingMoreToSayGetsTheAnswer(Call call) throws Exception {
    Socket socket = calling(call);
    socket.shutdownOutput();
    // Something that says nothing comes now and then, to find out whether anybody is there.
    until(socket.getInputStream(), call.isStreamed() ? ": ping" : "102 Processing");
    held.forEach(ScriptedModel.Held::release);
    until(socket.getInputStream(), " and more");
    assertItsPlaceIsFree();
    assertItIsLoggedAndCounted(call, 200);
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void closedInTheMiddleOfTheAnswer(Call call) throws Exception {
    store.session(new SessionKey("ann", "s")).update(SessionUpdate.none());
    model.thenText("x".repeat(8 << 20)); // more than the system takes
    Socket socket = connect();
    send(socket, head(call) + call.body);
    until(socket.getInputStream(), "xxxx");
    socket.close();
    assertItsPlaceIsFree();
    assertItIsLoggedAndCounted(call, 499);
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void resetInTheMiddleOfTheAnswer(Call call) throws Exception {
    store.session(new SessionKey("ann", "s")).update(SessionUpdate.none());
    model.thenText("x".repeat(8 << 20));
    Socket socket = connect();
    send(socket, head(call) + call.body);
    until(socket.getInputStream(), "xxxx");
    reset(socket);
    assertItsPlaceIsFree();
    assertItIsLoggedAndCounted(call, 499);
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void goneAfterTheEnd(Call call) throws Exception {
    store.session(new SessionKey("ann", "s")).update(SessionUpdate.none());
    model.thenText("the whole answer");
    Socket socket = connect();
    send(socket, head(call) + call.body);
    assertThat(answer(socket.getInputStream())).contains("the whole answer");
    reset(socket);
    assertItsPlaceIsFree();
    assertItIsLoggedAndCounted(call, 200);
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void goneWithinTheBody(Call call) throws Exception {
    for (int i = 0; i < 3; i++) {
      Socket socket = connect();
      send(socket, head(call) + call.body.substring(0, 10));
      Eventually.ask( // not by a call of hers, which might come first
          "its body is waited for",
          () -> live.send("GET", "/metrics", "").body(),
          metrics -> !metrics.contains("\nclew_bodies_bytes 0"));
      if (i == 0) {
        socket.close();
      } else if (i == 1) {
        reset(socket);
      } else {
        socket.shutdownOutput();
        until(socket.getInputStream(), "400 Bad Request");
      }
      assertItsPlaceIsFree();
    }
    assertThat(log.stream().filter(line -> line.contains(" POST " + call.path))).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void goneWithinTheHead(Call call) throws Exception {
    Socket closed = connect();
    send(closed, head(call).substring(0, 60));
    closed.close();
    Socket reset = connect();
    send(reset, head(call).substring(0, 60));
    reset(reset);
    Socket silent = connect();
    send(silent, head(call).substring(0, 60));
    silent.shutdownOutput();
    assertThat(silent.getInputStream().readAllBytes()).asString().doesNotContain("HTTP/1.1 200");
    assertItsPlaceIsFree();
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void goneInTheSecondRequestOfAConnection(Call call) throws Exception {
    store.session(new SessionKey("ann", "s")).update(SessionUpdate.none());
    model.thenText("the first answer");
    ScriptedModel.Held second = model.thenHold("Half", " and more");
    held.add(second);
    Socket socket = connect();
    send(socket, head(call) + call.body);
    assertThat(answer(socket.getInputStream())).contains("the first answer");
    send(socket, head(call) + call.body);
    Eventually.open("the model is asked again", second.begun);
    socket.close();
    assertItsPlaceIsFree();
    assertItIsLoggedAndCounted(call, 499);
    assertTheTurnGoesOnAndIsStored();
  }

  @Test
  void aRequestThatIsSentBeforeTheAnswerToTheLastOneIsNotLost() throws Exception {
    Socket socket = calling(Call.CHAT);
    send(socket, "GET /api/me HTTP/1.1\r\nHost: loc");
    String metrics = live.send("GET", "/metrics", "").body(); // another second or two goes by
    assertThat(metrics).contains("clew_streams_open 0");
    send(socket, "alhost\r\nAuthorization: " + ann.bearer() + "\r\n\r\n");
    Socket other = connect(); // by whose end we know that everybody was looked at
    send(other, "GET /healthz HTTP/1.1\r\nX-Slow: ");
    assertThat(other.getInputStream().readAllBytes()).asString().doesNotContain("200 OK");
    held.forEach(ScriptedModel.Held::release);
    until(socket.getInputStream(), "Half and more");
    until(socket.getInputStream(), "\"owner\":\"ann\"");
  }

  @Test
  void streamsOfLiveUpdatesWhoseReadersHaveGoneAreNoticedSoon() throws Exception {
    store.session(new SessionKey("ann", "s")).addItems(List.of(Item.user("hello")));
    Socket socket = connect();
    send(
        socket,
        "GET /api/sessions/s/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: "
            + ann.bearer()
            + "\r\n\r\n");
    until(socket.getInputStream(), "text/event-stream");
    socket.close();
    long start = System.nanoTime();
    assertItsPlaceIsFree();
    // Before the ping that every stream gets after 15 seconds.
    assertThat(System.nanoTime() - start).isLessThan(12_000_000_000L);
  }
}
