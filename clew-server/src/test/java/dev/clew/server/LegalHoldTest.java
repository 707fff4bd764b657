package dev.clew.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.json.Json;
import dev.clew.memory.MemoryStore;
import dev.clew.retention.LegalHolds;
import dev.clew.tck.TestClock;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is on legal hold, on a server whose sessions end after an hour. */
class LegalHoldTest {
  private final TestClock clock = new TestClock(Instant.parse("2026-03-04T10:00:00Z"));

  private SessionStore store() {
    return MemoryStore.builder().clock(clock).timeToLive(Duration.ofHours(1)).build();
  }

  private static HttpResponse<String> as(
      LiveServer live, String token, String method, String path, String body) {
    return live.send(method, path, body, "Authorization", "Bearer " + token);
  }

  private static void chat(LiveServer live, String token, String id) {
    String body = "{\"session_id\":\"" + id + "\",\"message\":\"hello\"}";
    assertThat(as(live, token, "POST", "/api/chat", body).statusCode()).isEqualTo(200);
  }

  @Test
  void aTimeToLiveIsRefused_andTheSessionDoesNotExpire() {
    try (SessionStore store = store();
        LiveServer live = new LiveServer(store)) {
      String token = live.token("ann");
      chat(live, token, "held");
      chat(live, token, "other");
      new LegalHolds(store).place("ann", Optional.of("held"), "case 17", Clock.systemUTC());
      for (String life : List.of("1", "null", "86400")) {
        HttpResponse<String> refused =
            as(live, token, "PATCH", "/api/sessions/held", "{\"ttl_seconds\":" + life + "}");
        assertThat(refused.statusCode()).as(life).isEqualTo(409);
        assertThat(refused.body()).contains("legal_hold");
      }
      assertThat(as(live, token, "PATCH", "/api/sessions/held", "{\"title\":\"x\"}").statusCode())
          .isEqualTo(200);
      clock.advance(Duration.ofDays(400));
      store.sweep(100);

      assertThat(store.session(new SessionKey("ann", "held")).info()).isPresent();
      assertThat(store.session(new SessionKey("ann", "other")).info()).isEmpty();
    }
  }

  @Test
  void whatAnOwnerOnHoldSaysLater_doesNotExpire_andHerResponsesAreNotDeleted() {
    try (SessionStore store = store();
        LiveServer live = new LiveServer(store)) {
      String token = live.token("ann");
      new LegalHolds(store).place("ann", Optional.empty(), "case 17", Clock.systemUTC());
      chat(live, token, "later");
      HttpResponse<String> made =
          as(live, token, "POST", "/v1/responses", "{\"model\":\"m\",\"input\":\"hello\"}");
      String id = String.valueOf(Json.readObject(made.body()).get("id"));
      String path = "/v1/responses/" + id;

      assertThat(as(live, token, "DELETE", path, "").statusCode()).isEqualTo(409);
      assertThat(as(live, token, "GET", path, "").statusCode()).isEqualTo(200);
      clock.advance(Duration.ofDays(400));
      store.sweep(100);
      assertThat(store.session(new SessionKey("ann", "later")).info()).isPresent();
      assertThat(store.session(new SessionKey("ann", id)).info()).isPresent();
    }
  }
}
