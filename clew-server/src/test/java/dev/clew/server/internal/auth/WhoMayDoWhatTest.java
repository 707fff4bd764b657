package dev.clew.server.internal.auth;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Stores;
import dev.clew.json.Json;
import dev.clew.server.EventReader;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.page.OpenApi;
import dev.clew.server.operate.Scope;
import dev.clew.server.operate.Tokens;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every route with every kind of caller, from the table of routes. A row says how a route is called
 * so that it succeeds for the owner; a route without a row fails.
 */
@Tag("hostile")
class WhoMayDoWhatTest {
  private static final String SECRET = "ann's secret";

  /** Routes that everybody may call. They tell nothing of anybody. */
  private static final Set<String> OPEN =
      Set.of(
          "GET /healthz",
          "GET /readyz",
          "GET /sign-in",
          "POST /sign-in",
          "POST /sign-out",
          "GET /",
          "GET /shell",
          "GET /service-worker.js",
          "GET /favicon.ico",
          "GET /assets/{digest}/<name>",
          "GET /.well-known/oauth-protected-resource/mcp",
          "GET /openapi.json",
          "GET /docs",
          "GET /docs/{file}",
          "GET /shared/{secret}");

  /**
   * How a route is called.
   *
   * @param more behind the path; names in braces are ids of the owner
   * @param status what the owner is answered
   */
  private record Row(String more, String body, int status) {}

  private static Row row(String more, String body) {
    return new Row(more, body, 200);
  }

  private static final Row PLAIN = row("", "");

  /** The owner of some sessions is not who looks after the server. */
  private static final Row ADMIN = new Row("", "", 403);

  private static final String C = "/v1/conversations";
  private static final String R = "/v1/responses";
  private static final String CHAT = "/v1/chat/completions";
  private static final String S = "/api/sessions/{session_id}";
  private static final String ITEMS = "{\"items\":[{\"role\":\"user\",\"content\":\"more\"}]}";

  private static final Map<String, Row> ROWS =
      Map.ofEntries(
          entry("GET " + C, PLAIN),
          entry("POST " + C, row("", "{}")),
          entry("GET " + C + "/{conversation_id}", PLAIN),
          entry("POST " + C + "/{conversation_id}", row("", "{\"metadata\":{\"a\":\"b\"}}")),
          entry("DELETE " + C + "/{conversation_id}", PLAIN),
          entry("POST " + C + "/{conversation_id}/items", row("", ITEMS)),
          entry("GET " + C + "/{conversation_id}/items", row("?limit=5", "")),
          entry("GET " + C + "/{conversation_id}/items/{item_id}", PLAIN),
          entry("DELETE " + C + "/{conversation_id}/items/{item_id}", PLAIN),
          entry(
              "POST " + R,
              row("", "{\"model\":\"m\",\"input\":\"x\",\"conversation\":\"{conversation_id}\"}")),
          entry(
              "POST " + R + "/compact",
              row("", "{\"model\":\"m\",\"previous_response_id\":\"{response_id}\"}")),
          entry(
              "POST " + R + "/input_tokens",
              row("", "{\"model\":\"m\",\"previous_response_id\":\"{response_id}\"}")),
          entry("GET " + R, new Row("", "", 426)), // with a handshake, see SocketsTest
          entry("GET " + R + "/{response_id}", row("?stream=false", "")),
          entry("DELETE " + R + "/{response_id}", PLAIN),
          entry("POST " + R + "/{response_id}/cancel", PLAIN),
          entry("GET " + R + "/{response_id}/input_items", PLAIN),
          entry(
              "POST " + CHAT,
              row(
                  "",
                  "{\"model\":\"m\",\"conversation\":\"{conversation_id}\",\"messages\":"
                      + "[{\"role\":\"user\",\"content\":\"x\"}]}")),
          entry("GET " + CHAT, row("?model=m", "")),
          entry("GET " + CHAT + "/{completion_id}", PLAIN),
          entry("POST " + CHAT + "/{completion_id}", row("", "{\"metadata\":{\"a\":\"b\"}}")),
          entry("DELETE " + CHAT + "/{completion_id}", PLAIN),
          entry("GET " + CHAT + "/{completion_id}/messages", PLAIN),
          entry("GET /v1/models", PLAIN),
          entry("GET /v1/models/{model}", PLAIN),
          entry("POST /api/chat", row("", "{\"message\":\"hi\",\"session_id\":\"{session_id}\"}")),
          entry("DELETE /api/chat/{session_id}", PLAIN),
          entry("GET /api/sessions", row("?q=secret", "")),
          entry("DELETE /api/sessions", row("?all=true", "")),
          entry("PATCH /api/sessions", row("?all=true", "{\"pinned\":true}")),
          entry("POST " + S + "/shares", PLAIN),
          entry("GET /api/shares", PLAIN),
          entry("DELETE /api/shares/{share_id}", PLAIN),
          entry("GET " + S + "/branches", PLAIN),
          entry("POST " + S + "/branches", row("", "{\"at\":{position}}")),
          entry("PATCH " + S + "/items/{position}", row("", "{\"rating\":\"up\"}")),
          entry("GET " + S + "/files/{position}/{part}", PLAIN),
          entry("GET " + S, PLAIN),
          entry("PATCH " + S, row("", "{\"title\":\"mine\"}")),
          entry("DELETE " + S, PLAIN),
          entry("POST " + S + "/fork", PLAIN),
          entry("POST " + S + "/undo", PLAIN),
          entry("POST " + S + "/regenerate", PLAIN),
          entry("POST " + S + "/stop", PLAIN),
          entry("POST " + S + "/compact", PLAIN),
          entry("GET /api/turns", PLAIN),
          entry("GET " + S + "/queue", PLAIN),
          entry("DELETE " + S + "/queue/{turn_id}", PLAIN),
          entry("GET " + S + "/approvals", PLAIN),
          entry(
              "POST " + S + "/approvals", new Row("", "{\"call_id\":\"c\",\"approve\":true}", 404)),
          entry("GET " + S + "/items", PLAIN),
          entry("GET " + S + "/messages", PLAIN),
          entry("GET " + S + "/events", PLAIN),
          entry("GET " + S + "/export", PLAIN),
          entry("POST /api/sessions/import", new Row("?session_id={session_id}", "[]", 409)),
          entry("GET /api/export", PLAIN),
          entry(
              "POST /api/import",
              row("", "{\"session_id\":\"{session_id}\",\"items\":[{\"role\":\"user\"}]}")),
          entry("GET /api/search", row("?q=secret&session_id={session_id}", "")),
          entry(
              "POST /mcp",
              row(
                  "",
                  "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
                      + "\"get_conversation\",\"arguments\":{\"session_id\":\"{session_id}\"}}}")),
          entry("GET /mcp", new Row("", "", 405)),
          entry("DELETE /mcp", new Row("", "", 405)),
          entry("GET /api/tags", PLAIN),
          entry("GET /api/preferences", PLAIN),
          entry("PATCH /api/preferences", row("", "{\"instructions\":\"x\"}")),
          entry("GET /api/projects", PLAIN),
          entry("POST /api/projects", row("", "{\"name\":\"mine\"}")),
          entry("PATCH /api/projects/{project_id}", row("", "{\"name\":\"mine\"}")),
          entry("DELETE /api/projects/{project_id}", PLAIN),
          entry("GET /api/prompts", PLAIN),
          entry("POST /api/prompts", row("", "{\"name\":\"mine\",\"text\":\"x\"}")),
          entry("PATCH /api/prompts/{prompt_id}", row("", "{\"name\":\"mine\"}")),
          entry("DELETE /api/prompts/{prompt_id}", PLAIN),
          entry("GET /api/usage", PLAIN),
          entry("GET /api/insight", PLAIN),
          entry("GET " + S + "/insight", PLAIN),
          entry("GET /api/me", PLAIN),
          entry("GET /api/admin/sessions", ADMIN),
          entry("GET /api/admin/sessions/{session_id}", ADMIN),
          entry("GET /api/admin/audit", ADMIN),
          entry("GET /api/admin/tokens", ADMIN),
          entry("POST /api/admin/tokens", ADMIN),
          entry("DELETE /api/admin/tokens/{token_id}", ADMIN),
          entry("GET /api/admin/owners", ADMIN),
          entry("GET /api/admin/retention", ADMIN),
          entry("GET /api/admin/mcp", ADMIN),
          entry("GET /metrics", ADMIN));

  private static SessionStore store;
  private static LiveServer live;
  private static Map<String, String> callers;

  @BeforeAll
  static void start() {
    store = Stores.open("memory:");
    live = new LiveServer(store, settings -> settings.model(new ScriptedModel(), "m"));
    Tokens tokens = live.server().tokens();
    Tokens.Created revoked = tokens.create("ann", "", Scope.OWN, Optional.empty());
    tokens.revoke(revoked.token().id());
    Clock yesterday = Clock.offset(Clock.systemUTC(), Duration.ofDays(-1));
    Optional<Duration> hour = Optional.of(Duration.ofHours(1));
    callers =
        Map.of(
            "owner", live.token("ann"),
            "other", live.token("bob"),
            "reader", tokens.create("ann", "", Set.of(Scope.READ), Optional.empty()).secret(),
            "revoked", revoked.secret(),
            "expired",
                new Tokens(store.documents(), yesterday)
                    .create("ann", "", Scope.OWN, hour)
                    .secret(),
            "forged", "clew_forged");
  }

  @AfterAll
  static void stop() {
    live.close();
    store.close();
  }

  /** Of a server of its own: tests are listed before one is started. */
  static List<Route> routes() {
    try (SessionStore empty = Stores.open("memory:");
        LiveServer server = new LiveServer(empty)) {
      return server.routes();
    }
  }

  /** Things of ann, and ids of the same kinds that nobody has. */
  private static Map<String, String> annsThings() {
    String conversation =
        id(call("owner", "POST", C, ITEMS.replace("more", SECRET), Map.of()).body());
    HttpResponse<String> items =
        call("owner", "GET", C + "/" + conversation + "/items", "", Map.of());
    String response =
        id(
            call(
                    "owner",
                    "POST",
                    R,
                    "{\"model\":\"m\",\"background\":true,\"input\":\"" + SECRET + "\"}",
                    Map.of())
                .body());
    Eventually.ask(
        "a response",
        () -> call("owner", "GET", R + "/" + response, "", Map.of()).body(),
        body -> body.contains("\"status\":\"completed\""));
    String completion =
        id(
            call(
                    "owner",
                    "POST",
                    CHAT,
                    "{\"model\":\"m\",\"store\":true,\"messages\":[{\"role\":\"user\",\"content\":\""
                        + SECRET
                        + "\"}]}",
                    Map.of())
                .body());
    String session = UUID.randomUUID().toString();
    StoredSession history = store.session(new SessionKey("ann", session));
    history.addItems(
        List.of(
            Item.parse(
                "{\"role\":\"user\",\"content\":[{\"type\":\"input_file\",\"filename\":\""
                    + SECRET
                    + "\",\"file_data\":\"data:text/plain;base64,aGk=\"}]}"),
            Item.assistant(SECRET)));
    String share =
        Json.string(
            Json.fields(
                    call("owner", "POST", "/api/sessions/" + session + "/shares", "", Map.of())
                        .body())
                .get("share_id"));
    return things(
        "project_id",
        made("/api/projects", "{\"name\":\"" + SECRET + "\"}", "project_id"),
        "prompt_id",
        made("/api/prompts", "{\"name\":\"" + SECRET + "\",\"text\":\"x\"}", "prompt_id"),
        "completion_id",
        completion,
        "turn_id",
        "turn_0",
        "share_id",
        Objects.requireNonNull(share),
        "position",
        String.valueOf(history.entries(Range.first(1)).entries().get(0).position()),
        "part",
        "0",
        "conversation_id",
        conversation,
        "item_id",
        Objects.requireNonNull(Json.string(Json.fields(items.body()).get("first_id"))),
        "response_id",
        response,
        "session_id",
        session,
        "token_id",
        live.server().tokens().list().get(0).id(),
        "model",
        "m");
  }

  private static String made(String path, String body, String id) {
    HttpResponse<String> made = call("owner", "POST", path, body, Map.of());
    return Objects.requireNonNull(Json.string(Json.fields(made.body()).get(id)), made.body());
  }

  private static Map<String, String> things(String... pairs) {
    Map<String, String> things = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      things.put(pairs[i], pairs[i + 1]);
    }
    return things;
  }

  private static Map<String, String> nobodysThings() {
    return things(
        "project_id",
        "proj_" + "0".repeat(24),
        "prompt_id",
        "prompt_" + "0".repeat(24),
        "completion_id",
        "chatcmpl-" + "0".repeat(48),
        "turn_id",
        "turn_0",
        "share_id",
        "0".repeat(64),
        "position",
        "1",
        "part",
        "0",
        "conversation_id",
        "conv_" + "0".repeat(48),
        "item_id",
        "msg_" + "0".repeat(48),
        "response_id",
        "resp_" + "0".repeat(50),
        "session_id",
        UUID.randomUUID().toString(),
        "token_id",
        "0".repeat(12),
        "model",
        "m");
  }

  private static String id(String json) {
    return Objects.requireNonNull(Json.string(Json.fields(json).get("id")), json);
  }

  private static String filled(String template, Map<String, String> things) {
    String filled = template;
    for (Map.Entry<String, String> thing : things.entrySet()) {
      filled = filled.replace("{" + thing.getKey() + "}", thing.getValue());
    }
    return filled;
  }

  private static HttpResponse<String> call(
      String caller, String method, String path, String body, Map<String, String> things) {
    String target = filled(path, things);
    String content = filled(body, things);
    return caller.equals("anonymous")
        ? live.send(method, target, content)
        : live.send(method, target, content, "Authorization", "Bearer " + callers.get(caller));
  }

  private static HttpResponse<String> call(
      String caller, Route route, Row row, Map<String, String> things) {
    return call(caller, route.method().name(), route.path() + row.more(), row.body(), things);
  }

  private static Row row(Route route) {
    Row row = ROWS.get(route.toString());
    return row != null ? row : ROWS.get(route.at("/v1" + route.path()).toString());
  }

  @Test
  void everyRouteHasARow_andEveryRowARoute() {
    Set<String> closed =
        OpenApi.described(routes()).stream()
            .filter(route -> route.scope() != Scope.OPEN)
            .map(Route::toString)
            .collect(Collectors.toSet());
    assertThat(ROWS.keySet()).isEqualTo(closed);
    assertThat(routes().stream().filter(route -> route.scope() == Scope.OPEN).map(Route::toString))
        .containsExactlyInAnyOrderElementsOf(OPEN);
  }

  @ParameterizedTest
  @MethodSource("closedRoutes")
  void onlyTheOwnerSeesAnything(Route route) {
    Row row = row(route);
    Map<String, String> things = annsThings();
    Map<String, String> before = state(things);

    for (String nobody : List.of("anonymous", "revoked", "expired", "forged")) {
      HttpResponse<String> refused = call(nobody, route, row, things);
      assertThat(refused.statusCode()).as("%s as %s", route, nobody).isEqualTo(401);
      assertThat(refused.body()).contains("\"invalid_api_key\"").doesNotContain(SECRET);
    }
    HttpResponse<String> foreign = call("other", route, row, things);
    HttpResponse<String> absent = call("other", route, row, nobodysThings());
    assertThat(foreign.body()).doesNotContain(SECRET);
    assertThat(foreign.statusCode()).as(foreign.body()).isEqualTo(absent.statusCode());
    assertThat(normal(foreign.body())).isEqualTo(normal(absent.body()));
    assertThat(state(things)).as("what is ann's after the others").isEqualTo(before);

    int reader = status("reader", route, row, things);
    assertThat(reader).isEqualTo(route.scope() == Scope.READ ? row.status() : 403);
    assertThat(state(things)).as("what is ann's after a reader").isEqualTo(before);
    assertThat(status("owner", route, row, things)).isEqualTo(row.status());
  }

  static List<Route> closedRoutes() {
    return routes().stream().filter(route -> route.scope() != Scope.OPEN).toList();
  }

  /** A stream is only looked at: it would not end. */
  private static int status(String caller, Route route, Row row, Map<String, String> things) {
    if (!route.path().endsWith("/events")) {
      return call(caller, route, row, things).statusCode();
    }
    try (EventReader events =
        live.events(
            "GET",
            filled(route.path(), things),
            "",
            "Authorization",
            "Bearer " + callers.get(caller))) {
      return events.response().statusCode();
    }
  }

  /** All that ann has. */
  private static Map<String, String> state(Map<String, String> things) {
    Map<String, String> state = new LinkedHashMap<>();
    for (String path :
        List.of(
            C + "/{conversation_id}",
            C + "/{conversation_id}/items",
            R + "/{response_id}",
            R + "/{response_id}/input_items",
            S,
            S + "/items")) {
      state.put(path, call("owner", "GET", path, "", things).body());
    }
    return state;
  }

  /** Without what differs between any two answers: ids and times. */
  private static String normal(String body) {
    return body.replaceAll(
            "\\b(conv|resp|msg|req|proj|prompt)_[0-9a-f]{20,}|\\b[0-9a-f]{32,64}", "id")
        .replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "id")
        .replaceAll("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", "time")
        .replaceAll("\"(created_at|version|deleted)\":\\d+", "number");
  }
}
