package dev.clew.server.internal.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.json.Json;
import dev.clew.memory.MemoryStore;
import dev.clew.server.Caller;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.operate.AuditLog;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.ServerSettings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is written down about calls, and what is not. */
class AuditTest {
  private static final String CANARY = "canary-7351";

  private final MemoryStore store = MemoryStore.builder().build();
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final LiveServer live =
      new LiveServer(
          store, settings -> settings.requestLog(ServerSettings.LogFormat.JSON, lines::add));
  private final Caller ann = new Caller(live, "ann");

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private String bearer(Scope scope) {
    return "Bearer "
        + live.server().tokens().create("root", "", Set.of(scope), Optional.empty()).secret();
  }

  private List<Map<String, Object>> audit() {
    HttpResponse<String> answer =
        live.send("GET", "/api/admin/audit", "", "Authorization", bearer(Scope.ADMIN));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Caller.objects(Json.readObject(answer.body()).get("data"));
  }

  private Map<String, Object> entry(String what) {
    return audit().stream().filter(each -> what.equals(each.get("what"))).findFirst().orElseThrow();
  }

  @Test
  void deletingExportAndImportAreNotedWithWhoAndWhatAndResult() {
    ann.say("trip", "hello").is(200);
    String export = ann.get("/api/sessions/trip/export").is(200).body();
    ann.post("/api/sessions/import", export).is(200);
    ann.post("/api/sessions/import", "[").is(400);
    String id =
        ann.send("DELETE", "/api/sessions/trip", "")
            .is(200)
            .response()
            .headers()
            .firstValue("x-request-id")
            .orElseThrow();
    Map<String, Object> deleted = entry("DELETE /api/sessions/{session_id}");
    assertThat(deleted)
        .containsOnlyKeys("at", "who", "owner", "what", "key", "result", "request_id")
        .containsEntry("result", "200")
        .containsEntry("request_id", id);
    assertThat((String) deleted.get("who")).startsWith("token ");
    assertThat(deleted.toString()).doesNotContain("ann").doesNotContain("trip");
    Map<String, Object> exported = entry("GET /api/sessions/{session_id}/export");
    assertThat(exported)
        .containsEntry("key", deleted.get("key"))
        .containsEntry("owner", deleted.get("owner"));
    assertThat(audit().stream().filter(e -> e.get("what").equals("POST /api/sessions/import")))
        .extracting(each -> each.get("result"))
        .containsExactly("400", "200");
  }

  @Test
  void tokensAndSigningInAndRefusalsAndReadingTheLogAreNoted() {
    var made = live.server().tokens().create("ann", "", Scope.OWN, Optional.empty());
    live.server().tokens().revoke(made.token().id());
    live.send("GET", live.server().signInLink().substring(live.server().url().length()), "");
    live.send("GET", "/sign-in?code=1", "");
    live.send("GET", "/api/sessions", "", "Authorization", "Bearer clew_no");
    HttpResponse<String> refused =
        live.send("GET", "/api/admin/audit", "", "Authorization", bearer(Scope.READ));
    assertThat(refused.statusCode()).isEqualTo(403);
    audit();
    List<Map<String, Object>> entries = audit();
    assertThat(entries)
        .extracting(each -> each.get("what") + " " + each.get("result"))
        .containsSubsequence(
            "GET /api/admin/audit 200",
            "GET /api/admin/audit 403",
            "GET /api/sessions 401",
            "GET /sign-in 401",
            "GET /sign-in 303",
            "token revoke ended",
            "token create made");
    assertThat(entries.toString()).doesNotContain(made.secret());
  }

  @Test
  void theNoiseOfStrangersDoesNotHideWhatAUserWasRefused() {
    for (int i = 0; i < 80; i++) {
      assertThat(live.send("GET", "/api/sessions", "").statusCode()).isEqualTo(401);
    }
    for (int i = 0; i < 5; i++) {
      ann.get("/api/admin/tokens").is(403);
    }
    List<Map<String, Object>> refused =
        audit().stream().filter(each -> "GET /api/admin/tokens".equals(each.get("what"))).toList();
    assertThat(refused).hasSize(5);
    assertThat(refused)
        .allSatisfy(each -> assertThat((String) each.get("who")).startsWith("token "))
        .allSatisfy(each -> assertThat(each.get("owner")).isNotNull());
    assertThat(audit().stream().filter(each -> "401".equals(each.get("result")))).hasSize(60);
  }

  @Test
  void aSignInIsNotedWithWhoseItIs() {
    String token = live.token("ann");
    assertThat(live.send("POST", "/sign-in", "token=" + token).statusCode()).isEqualTo(303);
    ann.send("DELETE", "/api/sessions/none", "").is(200);
    Object owner = entry("DELETE /api/sessions/{session_id}").get("owner");
    assertThat(owner).isNotNull();
    assertThat(entry("POST /sign-in")).containsEntry("owner", owner);
    assertThat((String) entry("POST /sign-in").get("who")).startsWith("token ");
  }

  @Test
  void thePagesOfTheLogHaveEveryEntryOnce_newestFirst() {
    for (int i = 0; i < 7; i++) {
      ann.send("DELETE", "/api/sessions/s" + i, "").is(200);
    }
    String admin = bearer(Scope.ADMIN);
    List<String> seen = new CopyOnWriteArrayList<>();
    String cursor = "";
    do {
      HttpResponse<String> page =
          live.send("GET", "/api/admin/audit?limit=3" + cursor, "", "Authorization", admin);
      Map<String, Object> json = Json.readObject(page.body());
      Caller.objects(json.get("data")).forEach(each -> seen.add(each.toString()));
      cursor = json.get("next_cursor") == null ? "" : "&cursor=" + json.get("next_cursor");
    } while (!cursor.isEmpty());
    assertThat(seen).doesNotHaveDuplicates();
    assertThat(seen.stream().filter(each -> each.contains("DELETE"))).hasSize(7);
    assertThat(seen).isSortedAccordingTo((a, b) -> at(b).compareTo(at(a)));
    assertThat(
            live.send("GET", "/api/admin/audit?cursor=x", "", "Authorization", admin).statusCode())
        .isEqualTo(400);
  }

  private static String at(String entry) {
    return entry.substring(0, entry.indexOf(','));
  }

  @Test
  void entriesAreKeptForTheirTimeOnly() {
    AuditLog log = new AuditLog(store.documents(), Clock.systemUTC(), Duration.ofDays(1));
    log.note("x", null, "y", null, "z", null);
    Instant end =
        store
            .documents()
            .list("@clew", "audit/", Optional.empty(), 1)
            .get(0)
            .expiresAt()
            .orElseThrow();
    assertThat(end).isBetween(Instant.now().plusSeconds(86_000), Instant.now().plusSeconds(86_401));
  }

  @Test
  void refusalsDoNotFillTheStore() {
    for (int i = 0; i < 100; i++) {
      live.send("GET", "/api/sessions", "");
    }
    assertThat(
            store.documents().list("@clew", "audit/", Optional.empty(), 1000).stream()
                .filter(record -> record.json().contains("\"401\"")))
        .hasSizeBetween(60, 65);
  }

  @Test
  void aLineIsWrittenForEachCall_asJson() {
    ann.get("/api/sessions/a%2Fb?q=" + CANARY).is(404);
    String line =
        Eventually.ask(
                "the line",
                () -> lines.stream().filter(each -> each.contains("{session_id}")).findFirst(),
                Optional::isPresent)
            .orElseThrow();
    Map<String, Object> fields = Json.readObject(line);
    assertThat(fields)
        .containsOnlyKeys(
            "at", "request_id", "method", "route", "status", "duration_ms", "owner", "who")
        .containsEntry("route", "/api/sessions/{session_id}")
        .containsEntry("method", "GET");
    assertThat(((Number) fields.get("status")).intValue()).isEqualTo(404);
    assertThat(((Number) fields.get("duration_ms")).doubleValue()).isPositive();
  }

  @Test
  void aLineForPeopleHasTheSame() {
    List<String> text = new CopyOnWriteArrayList<>();
    Clock clock = Clock.fixed(Instant.parse("2026-03-04T10:00:00Z"), ZoneOffset.UTC);
    try (LiveServer other =
        new LiveServer(
            store,
            settings ->
                settings.clock(clock).requestLog(ServerSettings.LogFormat.TEXT, text::add))) {
      other.send("GET", "/healthz", "");
      Eventually.ask("the line", () -> text, each -> !each.isEmpty());
      assertThat(text.get(0))
          .matches("2026-03-04T10:00:00Z req_[0-9a-f]{32} GET /healthz 200 [0-9.]+ ms");
    }
  }

  /** So that whoever calls a path that does not exist finds the mistake in the log. */
  @Test
  void theLineOfAPathThatDoesNotExistShowsItsWords() {
    ann.post("/v1/chat/completionz", "{}").is(404);
    Eventually.ask("the line", () -> lines, each -> !each.isEmpty());
    assertThat(Json.readObject(lines.get(0)))
        .containsEntry("method", "POST")
        .containsEntry("path", "/v1/chat/completionz");
    List<String> text = new CopyOnWriteArrayList<>();
    try (LiveServer other =
        new LiveServer(
            store, settings -> settings.requestLog(ServerSettings.LogFormat.TEXT, text::add))) {
      new Caller(other, "ann").post("/v1/chat/completionz", "{}").is(404);
      Eventually.ask("the line", () -> text, each -> !each.isEmpty());
      assertThat(text.get(0)).contains(" POST /v1/chat/completionz 404 ");
    }
  }

  /** Also where things go wrong, which is where programs like to quote. */
  @Test
  void nothingThatWasSentStandsInAnyLog() {
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
    try {
      String token = "clew_" + CANARY;
      ann.say(CANARY, CANARY).is(200);
      ann.send("PATCH", "/api/sessions/" + CANARY, "{\"title\":\"" + CANARY + "\"}").is(200);
      ann.get("/api/search?q=" + CANARY);
      ann.get("/api/sessions/" + CANARY + "/export?format=" + CANARY).is(400);
      ann.post("/api/chat", "{\"message\":\"" + CANARY).is(400);
      ann.post("/api/sessions/import", "[{\"type\":\"" + CANARY + "\"," + CANARY + "]").is(400);
      ann.post(
          "/v1/conversations", "{\"items\":[{\"type\":\"message\",\"role\":\"" + CANARY + "\"}]}");
      ann.post("/v1/responses", "{\"model\":\"m\",\"input\":\"" + CANARY + "\"}").is(200);
      ann.get("/nowhere/" + CANARY + "?" + CANARY + "=" + CANARY).is(404);
      live.send("GET", "/api/sessions", "", "Authorization", "Bearer " + token);
      live.send("GET", "/sign-in?code=" + CANARY, "");
      live.send("GET", "/api/sessions", "", "Cookie", "clew=" + CANARY);
      store.close(); // everything fails now
      ann.say(CANARY, CANARY);
      ann.get("/api/search?q=" + CANARY);
      Eventually.ask("the lines", lines::size, size -> size >= 14);
    } finally {
      System.setErr(before);
    }
    assertThat(lines).noneMatch(line -> line.contains(CANARY));
    assertThat(errors.toString(StandardCharsets.UTF_8)).isNotEmpty().doesNotContain(CANARY);
  }
}
