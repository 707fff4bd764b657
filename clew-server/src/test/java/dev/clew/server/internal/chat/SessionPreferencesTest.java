package dev.clew.server.internal.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.Stores;
import dev.clew.agent.Agent;
import dev.clew.json.Json;
import dev.clew.server.Caller;
import dev.clew.server.Caller.Answer;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.settings.ChatSettings;
import dev.clew.server.settings.ServerSettings;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a session remembers of how it shall be answered, and what people do with it as a whole. */
class SessionPreferencesTest {
  private static final ScriptedModel BIG = new ScriptedModel();
  private static final ScriptedModel SMALL = new ScriptedModel();
  private static SessionStore store;
  private static LiveServer live;
  private static Caller ann;

  @BeforeAll
  static void start() {
    store = Stores.open("memory:");
    Agent agent = Agent.builder().name("Assistant").instructions("Be kind.").build();
    live =
        new LiveServer(
            store,
            settings ->
                settings
                    .model(BIG, "big", "huge")
                    .andModel(SMALL, "small")
                    .chat(ChatSettings.DEFAULT.agent(agent)));
    ann = new Caller(live, "ann");
  }

  @AfterAll
  static void stop() {
    live.close();
    store.close();
  }

  private static Answer patch(String session, String body) {
    return ann.send("PATCH", "/api/sessions/" + session, body);
  }

  @Test
  void aSessionRemembersItsModel() {
    assertThat(ann.get("/api/me").is(200).json().get("models")).isEqualTo(List.of("big", "small"));
    assertThat(ann.get("/v1/models").is(200).data())
        .extracting(model -> model.get("id"))
        .containsExactly("big", "huge", "small");
    int big = BIG.requests().size();
    int small = SMALL.requests().size();
    ann.post("/api/chat", "{\"message\":\"hi\",\"session_id\":\"s\",\"model\":\"small\"}").is(200);
    ann.say("s", "again").is(200);
    ann.post("/api/sessions/s/regenerate", "").is(200);
    assertThat(SMALL.requests()).hasSize(small + 3);
    assertThat(ann.get("/api/sessions/s").is(200).text("model")).isEqualTo("small");
    patch("s", "{\"model\":null}").is(200);
    ann.say("s", "who now").is(200);
    assertThat(BIG.requests()).hasSize(big + 1);
    ann.post("/api/chat", "{\"message\":\"hi\",\"session_id\":\"t\",\"model\":\"nobody\"}")
        .refused(400, "model_not_found");
    patch("s", "{\"model\":\"nobody\"}").refused(400, "model_not_found");
  }

  @Test
  void aResponseIsAnsweredByTheModelItNames_elseByTheFirst() {
    int big = BIG.requests().size();
    int small = SMALL.requests().size();
    ann.post("/v1/responses", "{\"model\":\"small\",\"input\":\"x\"}").is(200);
    ann.post("/v1/responses", "{\"model\":\"gpt-9\",\"input\":\"x\"}").is(200);
    ann.post("/v1/responses", "{\"model\":\"huge\",\"input\":\"x\",\"stream\":true}").is(200);
    assertThat(SMALL.requests()).hasSize(small + 1);
    Eventually.ask("two", () -> BIG.requests().size(), size -> size == big + 2);
  }

  @Test
  void twoModelsHaveNotOneName() {
    assertThatThrownBy(
            () -> ServerSettings.of(store).model(BIG, "one").andModel(SMALL, "two", "one"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'one'");
  }

  @Test
  void itsInstructionsStandBehindThoseOfTheAgent_andAreNobodysMetadata() {
    ann.post(
            "/api/chat",
            "{\"message\":\"hi\",\"session_id\":\"told\",\"instructions\":\"Speak in verse.\"}")
        .is(200);
    assertThat(BIG.lastRequest().instructions()).isEqualTo("Be kind.\n\nSpeak in verse.");
    patch("told", "{\"metadata\":{\"a\":\"b\",\"@clew\":{\"model\":\"x\"}}}").is(200);
    ann.say("told", "on").is(200);
    assertThat(BIG.lastRequest().instructions()).endsWith("Speak in verse.");
    Answer told = ann.get("/api/sessions/told").is(200);
    assertThat(told.json())
        .containsEntry("metadata", Map.of("a", "b"))
        .containsEntry("instructions", "Speak in verse.")
        .doesNotContainKey("model");
    ann.post("/v1/conversations/told", "{\"metadata\":{\"c\":\"d\"}}").is(200);
    assertThat(ann.get("/v1/conversations/told").is(200).json())
        .containsEntry("metadata", Map.of("c", "d"));
    patch("told", "{\"instructions\":\"\"}").is(200);
    ann.say("told", "plainly").is(200);
    assertThat(BIG.lastRequest().instructions()).isEqualTo("Be kind.");
    patch("told", "{\"instructions\":\"" + "x".repeat(20_001) + "\"}")
        .refused(400, "string_above_max_length");
  }

  private static long position(String session, int index) {
    StoredSession stored = store.session(new SessionKey("ann", session));
    return stored.entries(Range.first(index + 1)).entries().get(index).position();
  }

  @Test
  void aBranchGoesOnInPlaceOfAnItem_andBothKnowOfEachOther() {
    ann.say("root", "one").is(200);
    ann.say("root", "two").is(200);
    patch("root", "{\"tags\":[\"t\"],\"pinned\":true,\"model\":\"small\"}").is(200);
    String at = "{\"at\":" + position("root", 2) + "}";
    Answer branch = ann.post("/api/sessions/root/branches", at).is(200);
    String first = branch.text("session_id");
    assertThat(branch.json())
        .containsEntry("title", "one")
        .containsEntry("model", "small")
        .containsEntry("pinned", true)
        .containsEntry("item_count", 2L);
    assertThat(ann.get("/api/sessions/root").json())
        .containsEntry("archived", false)
        .containsEntry("pinned", false);
    ann.say(first, "three").is(200);
    String again = "{\"at\":" + position(first, 2) + "}";
    String second = ann.post("/api/sessions/" + first + "/branches", again).text("session_id");
    for (String each : List.of("root", first, second)) {
      List<Map<String, Object>> places =
          ann.get("/api/sessions/" + each + "/branches").is(200).data();
      assertThat(places).hasSize(1);
      assertThat(places.get(0)).containsEntry("session_ids", List.of("root", first, second));
    }
    ann.post("/api/sessions/root/branches", "{\"at\":4711}").refused(400, "invalid_value");
    ann.post("/api/sessions/root/branches", "{}").refused(400, "missing_required_parameter");
  }

  @Test
  void theFirstMessageMayBeBranchedToo() {
    ann.say("alone", "one").is(200);
    String at = "{\"at\":" + position("alone", 0) + "}";
    Answer branch = ann.post("/api/sessions/alone/branches", at).is(200);
    assertThat(branch.json()).containsEntry("item_count", 0L);
    assertThat(ann.get("/api/sessions/alone/branches").is(200).data()).hasSize(1);
  }

  @Test
  void aRatingStandsBesideTheItem() {
    ann.say("rated", "one").is(200);
    String path = "/api/sessions/rated/items/" + position("rated", 1);
    ann.send("PATCH", path, "{\"rating\":\"down\",\"reason\":\"wrong\"}").is(200);
    Map<String, Object> entry = ann.get("/api/sessions/rated/items").is(200).data().get(1);
    assertThat(Caller.object(entry.get("notes")))
        .containsEntry("rating", "down")
        .containsEntry("reason", "wrong")
        .containsKey("output_tokens");
    assertThat(store.session(new SessionKey("ann", "rated")).getItems().get(1))
        .isEqualTo(Item.assistant("echo one"));
    ann.send("PATCH", path, "{\"rating\":null}").is(200);
    assertThat(ann.get("/api/sessions/rated/items").body()).doesNotContain("rating");
    ann.send("PATCH", path, "{\"rating\":\"five\"}").refused(400, "invalid_value");
    ann.send("PATCH", path, "{}").refused(400, "missing_required_parameter");
    ann.send("PATCH", path + "99", "{\"rating\":\"up\"}").refused(404, "item_not_found");
    ann.send("PATCH", "/api/sessions/rated/items/x", "{\"rating\":\"up\"}")
        .refused(404, "item_not_found");
  }

  @Test
  void aLinkShowsWhatWasSaidUntilItWasMade_untilItIsEnded() {
    ann.say("open", "<b>one</b>").is(200);
    store
        .session(new SessionKey("ann", "open"))
        .addItems(
            List.of(
                Item.functionCall("c", "look_up", "{\"password\":\"x\"}"),
                Item.functionCallOutput("c", "secret")));
    Answer made = ann.post("/api/sessions/open/shares", "").is(200);
    String path = made.text("path");
    ann.say("open", "said later").is(200);
    HttpResponse<String> shown = live.send("GET", path, "");
    assertThat(shown.statusCode()).isEqualTo(200);
    assertThat(shown.body())
        .contains("&lt;b&gt;one&lt;/b&gt;")
        .doesNotContain("<b>one", "password", "secret", "said later");
    assertThat(shown.headers().firstValue("content-security-policy").orElseThrow())
        .startsWith("default-src 'none'")
        .endsWith("sandbox");
    assertThat(ann.get("/api/shares").is(200).data()).contains(made.json());
    assertThat(new Caller(live, "bob").get("/api/shares").is(200).data()).isEmpty();
    ann.send("DELETE", "/api/shares/" + made.text("share_id"), "").is(200);
    assertThat(live.send("GET", path, "").statusCode()).isEqualTo(404);
    ann.send("DELETE", "/api/shares/" + made.text("share_id"), "").refused(404, "share_not_found");
    assertThat(live.send("GET", "/shared/nothing", "").statusCode()).isEqualTo(404);
  }

  @Test
  void aLinkEndsWithItsSession_whoeverDeletesIt() {
    ann.say("short", "one").is(200);
    ann.say("other", "two").is(200);
    String first = ann.post("/api/sessions/short/shares", "").is(200).text("path");
    String second = ann.post("/api/sessions/other/shares", "").is(200).text("path");
    ann.send("DELETE", "/api/sessions/short", "").is(200);
    store.session(new SessionKey("ann", "other")).delete();
    assertThat(live.send("GET", first, "").statusCode()).isEqualTo(404);
    assertThat(live.send("GET", second, "").statusCode()).isEqualTo(404);
    assertThat(ann.get("/api/shares").is(200).data())
        .extracting(link -> link.get("session_id"))
        .doesNotContain("short", "other");
  }

  @ParameterizedTest
  @ValueSource(strings = {"deleted", "expired", "cleared", "emptied"})
  void aLinkDoesNotComeBackWithTheId(String how) {
    SessionKey key = new SessionKey("ann", "again-" + how);
    ann.say(key.id(), "not any more").is(200);
    String path = ann.post("/api/sessions/" + key.id() + "/shares", "").is(200).text("path");
    assertThat(live.send("GET", path, "").body()).contains("not any more");
    switch (how) {
      case "deleted" -> store.session(key).delete(); // by another program
      case "expired" -> {
        store.session(key).update(SessionUpdate.none().timeToLive(Duration.ofMillis(1)));
        Eventually.ask("it expires", () -> store.session(key).info(), Optional::isEmpty);
      }
      case "cleared" -> ann.send("DELETE", "/api/chat/" + key.id(), "").is(200);
      default -> ann.post("/api/sessions/" + key.id() + "/undo", "").is(200);
    }
    ann.say(key.id(), "something else").is(200);
    assertThat(live.send("GET", path, "").statusCode()).isEqualTo(404);
    assertThat(ann.get("/api/shares").is(200).body()).doesNotContain(key.id());
  }

  @Test
  void whatALinkShowsIsACopy_alsoWhenPartOfItIsTakenBack() {
    ann.say("copied", "first").is(200);
    ann.say("copied", "second").is(200);
    String path = ann.post("/api/sessions/copied/shares", "").is(200).text("path");
    ann.post("/api/sessions/copied/undo", "").is(200);
    assertThat(live.send("GET", path, "").body()).contains("first", "second");
  }

  @Test
  void allSessionsAreDeletedAtOnce_onlyOnesOwn_onlyWhenAskedForByName() {
    Caller eve = new Caller(live, "eve");
    for (int i = 0; i < 120; i++) {
      store.session(new SessionKey("eve", "e" + i)).addItems(List.of(Item.user("x")));
    }
    eve.send("PATCH", "/api/sessions/e7", "{\"archived\":true}").is(200);
    ann.say("mine", "stays").is(200);
    eve.send("DELETE", "/api/sessions", "").refused(400, "missing_required_parameter");
    assertThat(eve.send("DELETE", "/api/sessions?all=true", "").is(200).json())
        .isEqualTo(Json.readObject("{\"deleted\":120}"));
    assertThat(eve.get("/api/sessions").data()).isEmpty();
    ann.get("/api/sessions/mine").is(200);
  }
}
