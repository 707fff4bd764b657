package dev.clew.server.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.json.Json;
import dev.clew.kit.Sha256;
import dev.clew.memory.MemoryStore;
import dev.clew.server.Caller;
import dev.clew.server.LiveServer;
import dev.clew.server.operate.Scope;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What administrators see and do, and what nobody else does. */
class AdminTest {
  private static final String TOKENS = "/api/admin/tokens";

  private final MemoryStore store = MemoryStore.builder().build();
  private final LiveServer live = new LiveServer(store);
  private String bearer;

  @BeforeEach
  void start() {
    bearer = "Bearer " + token("root", Scope.ADMIN);
    for (String owner : List.of("ann", "bob", "cay")) {
      store
          .session(new SessionKey(owner, "s"))
          .addItems(List.of(Item.user("hello"), Item.assistant("yes")));
    }
  }

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private String token(String owner, Scope scope) {
    return live.server().tokens().create(owner, "", Set.of(scope), Optional.empty()).secret();
  }

  private HttpResponse<String> call(String method, String path, String body) {
    return live.send(method, path, body, "Authorization", bearer);
  }

  private Map<String, Object> done(String method, String path, String body) {
    HttpResponse<String> answer = call(method, path, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Json.readObject(answer.body());
  }

  private List<Map<String, Object>> tokens() {
    return Caller.objects(done("GET", TOKENS, "").get("data"));
  }

  @Test
  void aTokenIsMade_shownOnce_used_andRevoked() {
    Map<String, Object> made =
        done(
            "POST",
            TOKENS,
            "{\"owner\":\"dan\",\"name\":\"laptop\",\"scopes\":[\"read\"],\"ttl_seconds\":3600}");
    String secret = (String) made.get("secret");
    assertThat(live.send("GET", "/api/me", "", "Authorization", "Bearer " + secret).body())
        .contains("\"owner\":\"dan\"")
        .contains("\"scopes\":[\"read\"]");
    Map<String, Object> kept = Caller.object(made.get("token"));
    assertThat(tokens()).contains(kept);
    assertThat(call("GET", TOKENS, "").body()).doesNotContain(secret);
    String path = TOKENS + "/" + kept.get("token_id");
    assertThat(done("DELETE", path, "")).containsEntry("revoked", true);
    assertThat(live.send("GET", "/api/me", "", "Authorization", "Bearer " + secret).statusCode())
        .isEqualTo(401);
    assertThat(call("DELETE", path, "").statusCode()).isEqualTo(404);
    assertThat(call("GET", "/api/admin/audit", "").body())
        .contains("\"what\":\"token create\"")
        .contains("\"what\":\"token revoke\"")
        .contains("\"who\":\"token " + tokens().get(0).get("token_id") + "\"")
        .doesNotContain(secret);
  }

  @Test
  void noTokenIsMadeThatOpensTheConversationsOfSomebodyElse() {
    HttpResponse<String> refused = call("POST", TOKENS, "{\"owner\":\"ann\"}");
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("owner_has_conversations");
    store.documents().put("zoe", "schedule", "{}"); // a tool's, of which no conversation is left
    assertThat(call("POST", TOKENS, "{\"owner\":\"zoe\"}").statusCode()).isEqualTo(403);
    store.session(new SessionKey("root", "mine")).addItems(List.of(Item.user("mine")));
    done("POST", TOKENS, "{\"owner\":\"root\"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"owner\":\"@clew\"}",
        "{\"owner\":\"@other\"}",
        "{\"owner\":\"a\\u0000b\"}",
        "{\"scopes\":[]}",
        "{\"scopes\":[\"open\"]}",
        "{\"scopes\":\"read\"}",
        "{\"ttl_seconds\":0}",
        "{\"ttl_seconds\":99999999999}",
        "{\"owner\":1}"
      })
  void whatIsNoTokenIsRefused(String body) {
    int before = tokens().size();
    assertThat(call("POST", TOKENS, body).statusCode()).isEqualTo(400);
    assertThat(tokens()).hasSize(before);
  }

  @Test
  void ownersAreListedWithWhatTheyHave_inPages_withoutTheServerItself() {
    List<Map<String, Object>> owners = new ArrayList<>();
    Object cursor = null;
    do {
      Map<String, Object> page =
          done(
              "GET", "/api/admin/owners?limit=1" + (cursor == null ? "" : "&cursor=" + cursor), "");
      owners.addAll(Caller.objects(page.get("data")));
      cursor = page.get("next_cursor");
    } while (cursor != null);
    assertThat(owners).extracting(owner -> owner.get("owner")).containsExactly("ann", "bob", "cay");
    assertThat(owners.get(0)).containsEntry("partial", false);
    assertThat(((Number) owners.get(0).get("items")).intValue()).isEqualTo(2);
  }

  @Test
  void whatStaysForHowLongIsTold() {
    Map<String, Object> told = done("GET", "/api/admin/retention", "");
    assertThat(((Number) told.get("audit_days")).intValue()).isEqualTo(90);
    assertThat(((Number) told.get("responses_days")).intValue()).isEqualTo(30);
  }

  @Test
  void nobodyElseGetsAnywhere() {
    String all =
        "Bearer "
            + live.server()
                .tokens()
                .create("ann", "", Set.of(Scope.READ, Scope.WRITE), Optional.empty())
                .secret();
    for (String path : List.of(TOKENS, "/api/admin/owners", "/api/admin/retention")) {
      assertThat(live.send("GET", path, "", "Authorization", all).statusCode()).isEqualTo(403);
    }
    assertThat(live.send("POST", TOKENS, "{}", "Authorization", all).statusCode()).isEqualTo(403);
    String id = (String) tokens().get(0).get("token_id");
    assertThat(live.send("DELETE", TOKENS + "/" + id, "", "Authorization", all).statusCode())
        .isEqualTo(403);
  }

  @Test
  void whatOthersSayIsNotRead_unlessWhoeverRunsTheServerAllowsIt() {
    for (String path :
        List.of("/api/admin/sessions?owner=ann", "/api/admin/sessions/s?owner=ann")) {
      HttpResponse<String> refused = call("GET", path, "");
      assertThat(refused.statusCode()).isEqualTo(403);
      assertThat(refused.body()).contains("\"reading_is_off\"").doesNotContain("hello");
    }
  }

  @Test
  void whereItIsAllowed_eachLookIsInTheAuditLogWithWhoseItWas() {
    try (LiveServer open = new LiveServer(store, settings -> settings.adminReads(true))) {
      String root =
          "Bearer "
              + open.server()
                  .tokens()
                  .create("root", "", Set.of(Scope.ADMIN), Optional.empty())
                  .secret();
      HttpResponse<String> list =
          open.send("GET", "/api/admin/sessions?owner=ann", "", "Authorization", root);
      assertThat(list.body()).contains("\"session_id\":\"s\"");
      HttpResponse<String> shown =
          open.send("GET", "/api/admin/sessions/s?owner=ann", "", "Authorization", root);
      assertThat(shown.body()).contains("hello");
      assertThat(open.send("GET", "/api/admin/audit", "", "Authorization", root).body())
          .contains("listed sessions", "read a session", Sha256.brief("ann"));
      for (String path :
          List.of("/api/admin/sessions/none?owner=ann", "/api/admin/sessions?owner=%40clew")) {
        assertThat(open.send("GET", path, "", "Authorization", root).statusCode()).isEqualTo(404);
      }
      assertThat(open.send("GET", "/api/admin/sessions", "", "Authorization", root).statusCode())
          .isEqualTo(400);
      String ann = "Bearer " + token("ann", Scope.READ);
      HttpResponse<String> refused =
          open.send("GET", "/api/admin/sessions?owner=bob", "", "Authorization", ann);
      assertThat(refused.statusCode()).isEqualTo(403);
    }
  }
}
