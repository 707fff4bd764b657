package dev.clew.server.internal.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.json.Json;
import dev.clew.server.ChatServers;
import dev.clew.server.EventReader;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.operate.Scope;
import dev.clew.server.operate.Tokens;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A stream ends soon after what its reader was let in with, at every server of the store, and not
 * as if it were complete.
 */
@Tag("hostile")
class RevokedStreamsTest {
  @TempDir Path folder;
  private final ScriptedModel model = new ScriptedModel();
  private ChatServers servers;
  private LiveServer one;
  private LiveServer two;
  private ScriptedModel.Held held;

  @BeforeEach
  void start() {
    servers = new ChatServers(folder);
    one = servers.serve(model);
    two = servers.serve(new ScriptedModel());
    servers.session("s").addItems(List.of(Item.user("hello")));
    held = model.thenHold("Half", " and more");
  }

  @AfterEach
  void stop() {
    held.release();
    servers.close();
  }

  /** What can be read for long. */
  enum Kind {
    LIVE_UPDATES,
    CHAT,
    COMPLETION,
    RESPONSE,
    BACKGROUND
  }

  private EventReader open(LiveServer server, Kind kind, String... who) {
    return switch (kind) {
      case LIVE_UPDATES -> server.events("GET", "/api/sessions/s/events", "", who);
      case CHAT ->
          server.events(
              "POST",
              "/api/chat",
              "{\"message\":\"hi\",\"session_id\":\"c\",\"stream\":true}",
              who);
      case COMPLETION ->
          server.events(
              "POST",
              "/v1/chat/completions",
              "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],"
                  + "\"stream\":true}",
              who);
      case RESPONSE ->
          server.events(
              "POST", "/v1/responses", "{\"model\":\"m\",\"input\":\"hi\",\"stream\":true}", who);
      case BACKGROUND ->
          server.events(
              "POST",
              "/v1/responses",
              "{\"model\":\"m\",\"input\":\"hi\",\"stream\":true,\"background\":true}",
              who);
    };
  }

  private static List<EventReader.Event> awaitEnd(EventReader reader) {
    return Eventually.value(CompletableFuture.supplyAsync(reader::rest));
  }

  private Tokens.Created token(Optional<Duration> timeToLive) {
    return one.server().tokens().create("ann", "", Scope.OWN, timeToLive);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void ofATokenThatIsRevokedHere(Kind kind) {
    Tokens.Created token = token(Optional.empty());
    try (EventReader reader = open(one, kind, "Authorization", "Bearer " + token.secret())) {
      one.server().tokens().revoke(token.token().id());
      List<EventReader.Event> events = awaitEnd(reader);
      if (kind == Kind.LIVE_UPDATES) { // which have no end, so that any is the same
        assertThat(events).extracting(EventReader.Event::name).doesNotContain("error");
        return;
      }
      EventReader.Event last = events.get(events.size() - 1);
      assertThat(last.name()).isEqualTo(kind == Kind.COMPLETION ? "" : "error");
      assertThat(Json.fields(last.fields().getOrDefault("error", "{}")))
          .containsEntry("code", "\"invalid_api_key\"")
          .containsEntry("type", "\"invalid_request_error\"");
      if (kind == Kind.RESPONSE || kind == Kind.BACKGROUND) {
        assertThat(last.fields()).containsEntry("code", "\"invalid_api_key\"");
        assertThat(last.number()).isEqualTo(events.size() - 1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CHAT", "RESPONSE", "BACKGROUND"})
  void theTurnGoesOn_andIsStoredWhole(Kind kind) {
    Tokens.Created token = token(Optional.empty());
    String session;
    try (EventReader reader = open(one, kind, "Authorization", "Bearer " + token.secret())) {
      EventReader.Event first = reader.next().orElseThrow();
      session =
          kind == Kind.CHAT
              ? "c"
              : Json.string(Json.fields(first.fields().get("response")).get("id"));
      one.server().tokens().revoke(token.token().id());
      awaitEnd(reader);
    }
    held.release();
    Eventually.ask(
        "the turn is stored", () -> servers.texts(session), List.of("hi", "Half and more")::equals);
  }

  @Test
  void ofATokenThatIsRevokedAtAnotherServer() {
    Tokens.Created token = token(Optional.empty());
    try (EventReader reader =
        open(one, Kind.LIVE_UPDATES, "Authorization", "Bearer " + token.secret())) {
      two.server().tokens().revoke(token.token().id());
      awaitEnd(reader);
    }
  }

  @Test
  void ofATokenThatHasRunOut() {
    Tokens.Created token = token(Optional.of(Duration.ofSeconds(2)));
    try (EventReader reader =
        open(one, Kind.LIVE_UPDATES, "Authorization", "Bearer " + token.secret())) {
      awaitEnd(reader);
    }
  }

  @Test
  void ofACookieThatWasSignedOut_whileAnotherGoesOn() {
    String token = token(Optional.empty()).secret();
    String mine = cookie(token);
    String other = cookie(token);
    try (EventReader reader = open(one, Kind.LIVE_UPDATES, "Cookie", mine);
        EventReader stays = open(one, Kind.LIVE_UPDATES, "Cookie", other)) {
      one.send("POST", "/sign-out", "", "Cookie", mine);
      awaitEnd(reader);
      servers.session("s").addItems(List.of(Item.user("still here")));
      assertThat(stays.until("appended").data()).contains("still here");
    }
  }

  @Test
  void ofAnImport() throws Exception {
    Tokens.Created token = token(Optional.empty());
    int port = URI.create(one.server().url()).getPort();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      String head =
          "POST /api/import HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n"
              + "Authorization: Bearer "
              + token.secret()
              + "\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
      sendLine(socket, "first");
      Eventually.ask("it has begun", () -> servers.session("first").info(), Optional::isPresent);
      one.server().tokens().revoke(token.token().id());
      String answer = Eventually.ask("it is refused", () -> next(socket), text -> !text.isEmpty());
      assertThat(answer).contains(" 401 ", "invalid_api_key");
    }
  }

  private static void sendLine(Socket socket, String id) {
    String line = "{\"session_id\":\"" + id + "\",\"items\":[]}\n" + " ".repeat(8_000) + "\n";
    String chunk = Integer.toHexString(line.length()) + "\r\n" + line + "\r\n";
    try {
      socket.getOutputStream().write(chunk.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends another line unless there is an answer. */
  private static String next(Socket socket) {
    try {
      InputStream in = socket.getInputStream();
      if (in.available() == 0) {
        sendLine(socket, "more");
        return "";
      }
      return new String(in.readNBytes(in.available()), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void ofAnExport() throws Exception {
    Item item = Item.user("x".repeat(1_000_000));
    for (int i = 0; i < 40; i++) {
      servers.session("e" + i).addItems(List.of(item));
    }
    Tokens.Created token = token(Optional.empty());
    HttpResponse<InputStream> answer =
        HttpClient.newHttpClient()
            .send(request("/api/export", token).build(), HttpResponse.BodyHandlers.ofInputStream());
    long read = 0;
    try (InputStream body = answer.body()) {
      read += body.readNBytes(1000).length;
      one.server().tokens().revoke(token.token().id());
      long revoked = System.nanoTime();
      // Tokens are looked at once a second.
      Eventually.ask("later", System::nanoTime, now -> now - revoked > 1_100_000_000L);
      for (byte[] more = body.readNBytes(1000); more.length > 0; more = body.readNBytes(1000)) {
        read += more.length;
      }
    } catch (IOException e) {
      // It broke off.
    }
    assertThat(read).isLessThan(30_000_000);
  }

  private HttpRequest.Builder request(String path, Tokens.Created token) {
    return HttpRequest.newBuilder(URI.create(one.server().url() + path))
        .header("Authorization", "Bearer " + token.secret());
  }

  private String cookie(String token) {
    String set =
        one.send("POST", "/sign-in", "token=" + token)
            .headers()
            .firstValue("set-cookie")
            .orElseThrow();
    return set.substring(0, set.indexOf(';'));
  }
}
