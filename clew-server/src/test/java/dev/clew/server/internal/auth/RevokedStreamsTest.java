package dev.clew.server.internal.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.server.ChatServers;
import dev.clew.server.EventReader;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.operate.Scope;
import dev.clew.server.operate.Tokens;
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

/** A stream ends soon after what its reader was let in with, at every server of the store. */
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

  private static void awaitEnd(EventReader reader) {
    Eventually.value(CompletableFuture.supplyAsync(reader::rest));
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
      awaitEnd(reader);
    }
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

  private String cookie(String token) {
    String set =
        one.send("POST", "/sign-in", "token=" + token)
            .headers()
            .firstValue("set-cookie")
            .orElseThrow();
    return set.substring(0, set.indexOf(';'));
  }
}
