package dev.clew.server.internal.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.SessionStore;
import dev.clew.kit.BackendStore;
import dev.clew.kit.ForwardingBackend;
import dev.clew.memory.MemoryStore;
import dev.clew.server.ClewServer;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.ServerSettings;
import dev.clew.tck.FaultyStore;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who is let in, and where from. */
class CallersTest {
  private final MemoryStore store = MemoryStore.builder().build();
  private final LiveServer live =
      new LiveServer(
          store, settings -> settings.allowedOrigins(Set.of("https://chat.example.org")));

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private HttpResponse<String> get(String path, String... headers) {
    return live.send("GET", path, "", headers);
  }

  @Test
  void healthIsForEverybody() {
    HttpResponse<String> answer = get("/healthz");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("{\"status\":\"ok\"}");
    assertThat(answer.headers().firstValue("x-request-id")).isPresent();
  }

  @Test
  void itIsNotReadyWhileItsStoreCannotBeReached() {
    AtomicBoolean gone = new AtomicBoolean();
    try (MemoryStore memory = MemoryStore.builder().build();
        SessionStore store =
            BackendStore.decorate(
                memory,
                backend ->
                    new ForwardingBackend(backend) {
                      @Override
                      public void ping() {
                        if (gone.get()) {
                          throw new ClewException.StoreUnavailable("the disk is gone", null, true);
                        }
                      }
                    });
        LiveServer server = new LiveServer(store)) {
      assertThat(server.send("GET", "/readyz", "").statusCode()).isEqualTo(200);
      gone.set(true);
      HttpResponse<String> answer = server.send("GET", "/readyz", "");
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).contains("\"code\":\"store_unavailable\"");
      assertThat(server.send("GET", "/healthz", "").statusCode()).isEqualTo(200);
      gone.set(false);
      assertThat(server.send("GET", "/readyz", "").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void itIsNotReadyWhileItsStoreCannotBeWritten_orDoesNotAnswer() {
    try (MemoryStore memory = MemoryStore.builder().build();
        FaultyStore store = new FaultyStore(memory);
        LiveServer server = new LiveServer(store)) {
      store.failBefore(FaultyStore.every("records.put"));
      HttpResponse<String> full = server.send("GET", "/readyz", "");
      assertThat(full.statusCode()).as("a full disk").isEqualTo(503);
      store.heal();
      assertThat(server.send("GET", "/readyz", "").statusCode()).isEqualTo(200);
      FaultyStore.Hold hold = store.hold(FaultyStore.every("ping"));
      try {
        for (int i = 0; i < 2; i++) { // the second one asks while the first question hangs
          HttpResponse<String> hangs = server.send("GET", "/readyz", "");
          assertThat(hangs.statusCode()).as("a disk that hangs").isEqualTo(503);
          assertThat(hangs.body()).contains("did not answer");
        }
        assertThat(server.send("GET", "/healthz", "").statusCode()).isEqualTo(200);
      } finally {
        store.heal();
        hold.release();
      }
      Eventually.ask(
          "it is ready again",
          () -> server.send("GET", "/readyz", "").statusCode(),
          status -> status == 200);
    }
  }

  @Test
  void aHeadIsAnsweredLikeItsGet() {
    String bearer = "Bearer " + live.token("ann");
    assertThat(live.send("HEAD", "/api/sessions", "").statusCode()).isEqualTo(401);
    HttpResponse<String> head = live.send("HEAD", "/api/sessions", "", "Authorization", bearer);
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().firstValue("x-request-id")).isPresent();
    assertThat(head.headers().firstValue("x-ratelimit-remaining-requests")).isPresent();
    assertThat(live.send("HEAD", "/api/sessions/none", "", "Authorization", bearer).statusCode())
        .isEqualTo(404);
    live.send(
        "POST", "/api/chat", "{\"message\":\"a\",\"session_id\":\"s\"}", "Authorization", bearer);
    assertThat(
            live.send("HEAD", "/api/sessions/s/events", "", "Authorization", bearer).statusCode())
        .isEqualTo(200);
    // Whoever looks at the link does not use it up.
    String link = live.server().signInLink().substring(live.server().url().length());
    assertThat(live.send("HEAD", link, "").statusCode()).isEqualTo(200);
    assertThat(live.send("GET", link, "").statusCode()).isEqualTo(303);
  }

  @Test
  void nothingThatIsSomebodysIsKeptOnTheWay() {
    String bearer = "Bearer " + live.token("ann");
    for (String path : List.of("/api/sessions", "/v1/models", "/api/none", "/v1/conversations")) {
      HttpResponse<String> answer = live.send("GET", path, "", "Authorization", bearer);
      assertThat(answer.headers().firstValue("cache-control")).as(path).contains("no-store");
    }
  }

  @Test
  void whatTheBrowserSaysAnotherSiteHasCausedIsRefused_unlessSomebodyFollowsALink() {
    String bearer = "Bearer " + live.token("ann");
    for (String site : List.of("cross-site", "same-site")) {
      String[] other = {"Authorization", bearer, "Sec-Fetch-Site", site};
      assertThat(live.send("GET", "/api/sessions", "", other).statusCode()).isEqualTo(403);
      assertThat(live.send("POST", "/sign-out", "", "Sec-Fetch-Site", site).statusCode())
          .isEqualTo(403);
      assertThat(
              live.send("GET", "/", "", "Sec-Fetch-Site", site, "Sec-Fetch-Mode", "navigate")
                  .statusCode())
          .isEqualTo(200);
    }
    String[] own = {"Authorization", bearer, "Sec-Fetch-Site", "same-origin"};
    assertThat(live.send("GET", "/api/sessions", "", own).statusCode()).isEqualTo(200);
  }

  @Test
  void anEmptyIdempotencyKeyIsNone() {
    String bearer = "Bearer " + live.token("ann");
    String[] headers = {"Authorization", bearer, "Idempotency-Key", ""};
    for (String text : List.of("one", "two")) {
      String chat = "{\"message\":\"" + text + "\",\"session_id\":\"k\"}";
      assertThat(live.send("POST", "/api/chat", chat, headers).statusCode()).isEqualTo(200);
      String response = "{\"model\":\"m\",\"input\":\"" + text + "\"}";
      assertThat(live.send("POST", "/v1/responses", response, headers).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aSearchInASessionThatCannotBeIsRefused() {
    String bearer = "Bearer " + live.token("ann");
    for (String id : List.of("x".repeat(600), "a%00b", "a%0Ab")) {
      HttpResponse<String> answer =
          live.send("GET", "/api/search?q=a&session_id=" + id, "", "Authorization", bearer);
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).contains("\"param\":\"session_id\"");
    }
  }

  @Test
  void anUnknownPathIsAnInvalidUrl() {
    HttpResponse<String> answer = get("/v1/nothing");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body())
        .isEqualTo(
            "{\"error\":{\"message\":\"Invalid URL (GET /v1/nothing)\","
                + "\"type\":\"invalid_request_error\",\"param\":null,\"code\":null}}");
  }

  @Test
  void aTokenWithoutTheScopeIsRefused() {
    String reader =
        live.server()
            .tokens()
            .create("ann", "reader", Set.of(Scope.READ), Optional.empty())
            .secret();
    assertThat(get("/v1/conversations", "Authorization", "Bearer " + reader).statusCode())
        .isEqualTo(200);
    HttpResponse<String> refused =
        live.send("POST", "/v1/conversations", "{}", "Authorization", "Bearer " + reader);
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("insufficient_scope");
  }

  @Test
  void aTokenIsKnownUntilItIsRevoked() {
    var made = live.server().tokens().create("ann", "laptop", Scope.OWN, Optional.empty());
    String bearer = "Bearer " + made.secret();
    assertThat(get("/v1/conversations", "Authorization", bearer).statusCode()).isEqualTo(200);
    assertThat(live.server().tokens().revoke(made.token().id())).isTrue();
    assertThat(live.server().tokens().revoke(made.token().id())).isFalse();
    assertThat(get("/v1/conversations", "Authorization", bearer).statusCode()).isEqualTo(401);
  }

  @Test
  void aTokenThatWasRevokedElsewhereIsForgottenSoon() {
    var made = live.server().tokens().create("ann", "laptop", Scope.OWN, Optional.empty());
    String bearer = "Bearer " + made.secret();
    assertThat(get("/v1/conversations", "Authorization", bearer).statusCode()).isEqualTo(200);
    var elsewhere = new dev.clew.server.operate.Tokens(store.documents(), Clock.systemUTC());
    assertThat(elsewhere.revoke(made.token().id())).isTrue();
    Eventually.ask(
        "the token is not known any more",
        () -> get("/v1/conversations", "Authorization", bearer).statusCode(),
        status -> status == 401);
  }

  @Test
  void aTokenThatHasRunOutIsNotKnown() {
    var tokens = live.server().tokens();
    var made = tokens.create("ann", "short", Scope.OWN, Optional.of(Duration.ofDays(1)));
    Clock later = Clock.fixed(Instant.now().plus(Duration.ofDays(2)), ZoneOffset.UTC);
    assertThat(new dev.clew.server.operate.Tokens(store.documents(), later).verify(made.secret()))
        .isEmpty();
    assertThat(tokens.verify(made.secret())).isPresent();
  }

  @Test
  void onlyTheHashOfATokenIsKept() {
    var made = live.server().tokens().create("ann", "laptop", Scope.OWN, Optional.empty());
    assertThat(store.documents().list("@clew", "", Optional.empty(), 100))
        .isNotEmpty()
        .noneMatch(record -> record.toString().contains(made.secret()));
  }

  @Test
  void noTokenIsMadeForTheServerItself() {
    assertThatThrownBy(
            () -> live.server().tokens().create("@clew", "", Scope.OWN, Optional.empty()))
        .hasMessageContaining("is reserved");
  }

  @Test
  void aLinkSignsInOnce_withACookieThatScriptsAndOtherPagesDoNotGet() {
    String link = live.server().signInLink().substring(live.server().url().length());
    HttpResponse<String> first = get(link);
    assertThat(first.statusCode()).isEqualTo(303);
    String cookie = first.headers().firstValue("set-cookie").orElseThrow();
    assertThat(cookie).contains("HttpOnly").contains("SameSite=Strict");
    String pair = cookie.substring(0, cookie.indexOf(';'));
    assertThat(get("/v1/conversations", "Cookie", pair).statusCode()).isEqualTo(200);
    assertThat(get("/v1/conversations", "Cookie", pair + "x").statusCode()).isEqualTo(401);
    assertThat(get(link).statusCode()).isEqualTo(401);
  }

  @Test
  void aPageOfAnotherOriginIsRefused_unlessItWasAllowed() {
    String bearer = "Bearer " + live.token("ann");
    HttpResponse<String> foreign =
        get("/v1/conversations", "Authorization", bearer, "Origin", "https://evil.example");
    assertThat(foreign.statusCode()).isEqualTo(403);
    assertThat(foreign.headers().firstValue("access-control-allow-origin")).isEmpty();
    HttpResponse<String> allowed =
        get("/v1/conversations", "Authorization", bearer, "Origin", "https://chat.example.org");
    assertThat(allowed.statusCode()).isEqualTo(200);
    assertThat(allowed.headers().firstValue("access-control-allow-origin"))
        .hasValue("https://chat.example.org");
    HttpResponse<String> own =
        get("/v1/conversations", "Authorization", bearer, "Origin", live.server().url());
    assertThat(own.statusCode()).isEqualTo(200);
    HttpResponse<String> question =
        live.send("OPTIONS", "/api/chat", "", "Origin", "https://chat.example.org");
    assertThat(question.statusCode()).isEqualTo(204);
    assertThat(question.headers().firstValue("access-control-allow-methods").orElseThrow())
        .contains("PATCH");
  }

  @Test
  void withoutSigningInTheServerIsForItsOwnMachineOnly() {
    assertThatThrownBy(
            () ->
                ClewServer.start(
                    ServerSettings.of(store).at("0.0.0.0", 0).auth(ServerSettings.Auth.NONE)))
        .hasMessageContaining("listens on this machine only");
    try (LiveServer open =
        new LiveServer(store, settings -> settings.auth(ServerSettings.Auth.NONE))) {
      assertThat(open.send("GET", "/v1/conversations", "").statusCode()).isEqualTo(200);
    }
  }
}
