package dev.clew.server.internal.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.openai.errors.RateLimitException;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.memory.MemoryStore;
import dev.clew.server.Caller;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.internal.http.Route;
import dev.clew.server.settings.LimitSettings;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What happens to a caller who asks for too much, and that nobody else notices. */
class LimitsTest {
  private final MemoryStore store = MemoryStore.builder().build();
  private final List<LiveServer> servers = new ArrayList<>();

  @AfterEach
  void stop() {
    servers.forEach(LiveServer::close);
    store.close();
  }

  private LiveServer serve(LimitSettings limits) {
    LiveServer live = new LiveServer(store, settings -> settings.limits(limits));
    servers.add(live);
    return live;
  }

  @Test
  void whoAsksTooOftenIsToldWhenToComeAgain_andOthersAreServed() {
    LiveServer live = serve(LimitSettings.DEFAULT.requestsPerMinute(3));
    Caller ann = new Caller(live, "ann");
    HttpHeaders headers = ann.get("/api/sessions").is(200).response().headers();
    assertThat(headers.firstValue("x-ratelimit-limit-requests")).hasValue("3");
    assertThat(headers.firstValue("x-ratelimit-remaining-requests")).hasValue("2");
    assertThat(headers.firstValue("x-ratelimit-reset-requests")).hasValue("20s");
    ann.get("/api/sessions").is(200);
    ann.get("/api/sessions").is(200);
    Caller.Answer refused = ann.get("/api/sessions").refused(429, "rate_limit_exceeded");
    long retry = refused.response().headers().firstValueAsLong("Retry-After").orElseThrow();
    assertThat(retry).isBetween(1L, 20L);
    assertThat(refused.response().headers().firstValue("x-ratelimit-remaining-requests"))
        .hasValue("0");
    new Caller(live, "ann").get("/api/sessions").is(200); // another token of hers
    new Caller(live, "bob").get("/api/sessions").is(200);
    assertThat(live.send("GET", "/healthz", "").statusCode()).isEqualTo(200);
  }

  @Test
  void theOfficialClientTakesItForARateLimit() {
    LiveServer live = serve(LimitSettings.DEFAULT.requestsPerMinute(1));
    var client = live.openAi("ann");
    client.conversations().create();
    assertThatThrownBy(() -> client.conversations().create())
        .isInstanceOfSatisfying(
            RateLimitException.class, e -> assertThat(e.code()).hasValue("rate_limit_exceeded"));
  }

  @Test
  void whatReadsOrWritesAWholeSessionCostsMore() {
    LiveServer live = serve(LimitSettings.DEFAULT);
    List<String> expensive =
        live.routes().stream()
            .filter(route -> RequestLimits.cost(route) > 1)
            .map(Route::toString)
            .toList();
    assertThat(expensive)
        .containsExactlyInAnyOrder(
            "GET /api/sessions/{session_id}/export",
            "GET /api/sessions/{session_id}/insight",
            "GET /api/insight",
            "GET /api/tags",
            "DELETE /api/projects/{project_id}",
            "GET /api/admin/owners",
            "POST /api/sessions/import",
            "GET /api/export",
            "POST /api/import",
            "POST /api/sessions/{session_id}/fork",
            "POST /api/sessions/{session_id}/compact",
            "POST /v1/responses/compact",
            "POST /responses/compact");
    Caller ann = new Caller(live, "ann");
    ann.say("trip", "hello").is(200);
    assertThat(
            ann.get("/api/sessions/trip/export")
                .is(200)
                .response()
                .headers()
                .firstValueAsLong("x-ratelimit-remaining-requests")
                .orElseThrow())
        .isBetween(5_989L, 5_990L);
  }

  @Test
  void soManyStreamsAreOpenAtOnce_andOneThatEndsMakesRoom() {
    LiveServer live = serve(LimitSettings.DEFAULT.openCalls(2));
    Caller ann = new Caller(live, "ann");
    ann.say("trip", "hello").is(200);
    String path = "/api/sessions/trip/events";
    Caller.Events first = ann.stream("GET", path, "");
    try (Caller.Events second = ann.stream("GET", path, "")) {
      ann.get("/api/sessions").refused(429, "too_many_open_calls");
      new Caller(live, "bob").get("/api/sessions").is(200);
      first.close();
      Eventually.ask(
          "room for a call",
          () -> {
            // The server notices that a reader has gone when it tells it something.
            store.session(new SessionKey("ann", "trip")).addItems(List.of(Item.user("x")));
            return ann.get("/api/sessions").status();
          },
          status -> status == 200);
      assertThat(second.next().name()).isEqualTo("appended");
    }
  }

  @Test
  void anAddressWithTooManyFailuresIsToldSo_butARightTokenPasses() {
    LiveServer live = serve(LimitSettings.DEFAULT.failedSignInsPerMinute(3));
    String[] wrong = {"Authorization", "Bearer clew_wrong"};
    assertThat(live.send("GET", "/v1/models", "", wrong).statusCode()).isEqualTo(401);
    assertThat(live.send("GET", "/v1/models", "", "Cookie", "clew=x.y").statusCode())
        .isEqualTo(401);
    assertThat(live.send("GET", "/sign-in?code=0", "").statusCode()).isEqualTo(401);
    HttpResponse<String> refused = live.send("GET", "/v1/models", "", wrong);
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.body()).contains("too_many_failed_sign_ins");
    assertThat(refused.headers().firstValue("Retry-After")).isPresent();
    assertThat(live.send("GET", "/sign-in?code=0", "").statusCode()).isEqualTo(429);
    assertThat(live.send("GET", "/v1/models", "").statusCode())
        .as("no token at all")
        .isEqualTo(401);
    new Caller(live, "ann").get("/api/sessions").is(200);
  }

  @Test
  void withoutLimitsThereAreNone() {
    LiveServer live = serve(LimitSettings.NONE);
    HttpHeaders headers = new Caller(live, "ann").get("/api/sessions").is(200).response().headers();
    assertThat(headers.map()).doesNotContainKey("x-ratelimit-limit-requests");
  }
}
