package dev.clew.server.internal.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.agent.Agent;
import dev.clew.agent.Guardrail;
import dev.clew.demo.ScheduleAssistant;
import dev.clew.json.Json;
import dev.clew.server.Caller;
import dev.clew.server.Caller.Answer;
import dev.clew.server.Caller.Event;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.settings.ChatSettings;
import dev.clew.server.settings.ChatSettings.AtLimit;
import dev.clew.server.settings.ServerSettings;
import dev.clew.server.settings.TurnSettings;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Saying something, over HTTP, to a server over SQLite. */
class ChatTest {
  private static final ZoneId ZONE = ZoneId.of("Asia/Shanghai");
  private static final Clock CLOCK =
      Clock.fixed(LocalDateTime.parse("2026-03-04T10:00").atZone(ZONE).toInstant(), ZONE);

  @TempDir Path folder;
  private SessionStore store;
  private final List<LiveServer> servers = new ArrayList<>();

  @BeforeEach
  void open() {
    store = Stores.open("sqlite:" + folder.resolve("c.db"));
  }

  @AfterEach
  void close() {
    servers.forEach(LiveServer::close);
    store.close();
  }

  private LiveServer serve(UnaryOperator<ServerSettings> settings) {
    LiveServer live = new LiveServer(store, settings);
    servers.add(live);
    return live;
  }

  /** The offline model with the schedule assistant, on a day that is known. */
  private Caller offline() {
    return new Caller(
        serve(
            settings ->
                settings.chat(ChatSettings.DEFAULT.agent(ScheduleAssistant.agent(CLOCK, ZONE)))),
        "ann");
  }

  private Caller scripted(ScriptedModel script, UnaryOperator<ChatSettings> chat) {
    Agent agent = Agent.builder().name("Assistant").build();
    return new Caller(
        serve(
            settings ->
                settings
                    .model(script, "script")
                    .chat(chat.apply(ChatSettings.DEFAULT.agent(agent)))),
        "ann");
  }

  private Caller scripted(ScriptedModel script) {
    return scripted(script, UnaryOperator.identity());
  }

  private List<Item> items(String session) {
    return store.session(new SessionKey("ann", session)).getItems();
  }

  @Test
  void aFirstMessageGetsANewSession_scenario1() {
    Answer answer = offline().say(null, "你好").is(200);
    assertThat(answer.json())
        .containsOnlyKeys("message", "intent", "session_id", "action_result")
        .containsEntry("intent", "chat")
        .containsEntry("action_result", null);
    assertThat(answer.text("message")).isNotBlank();
    UUID id = UUID.fromString(answer.text("session_id"));
    assertThat(id.version()).isEqualTo(4);
    assertThat(answer.body()).startsWith("{\"message\":");
  }

  @Test
  void aSecondMessageIsUnderstoodInItsContext_scenario2() {
    Caller ann = offline();
    Answer first = ann.say(null, "下周三下午2点开会").is(200);
    assertThat(first.json()).containsEntry("intent", "create_event");
    Map<String, Object> made = Caller.object(first.json().get("action_result"));
    assertThat(made.toString()).contains("2026-03-11T14:00");
    Answer second = ann.say(first.text("session_id"), "改成下午3点").is(200);
    assertThat(second.json())
        .containsEntry("intent", "update_event")
        .containsEntry("session_id", first.text("session_id"));
    assertThat(Caller.object(second.json().get("action_result")).toString())
        .contains("2026-03-11T15:00");
  }

  @Test
  void deletingAChatEmptiesTheHistoryAndKeepsTheRecord_scenario3() {
    Caller ann = offline();
    String id = ann.say(null, "你好").text("session_id");
    ann.send("PATCH", "/api/sessions/" + id, "{\"title\":\"日程\"}").is(200);
    Answer cleared = ann.send("DELETE", "/api/chat/" + id, "").is(200);
    assertThat(cleared.json()).containsEntry("session_id", id).containsEntry("cleared", 2L);
    assertThat(ann.get("/api/sessions/" + id).is(200).json())
        .containsEntry("title", "日程")
        .containsEntry("item_count", 0L);
    assertThat(ann.get("/api/sessions/" + id + "/messages").data()).isEmpty();
    ann.send("DELETE", "/api/chat/" + id, "").is(200);
    ann.send("DELETE", "/api/chat/nothing", "").refused(404, "session_not_found");
  }

  @Test
  void whatACompactionReplacedIsClearedToo() {
    ScriptedModel script = new ScriptedModel();
    Caller ann = scripted(script, chat -> chat.limit(3, AtLimit.COMPACT));
    script.says("one").says("two").says("in short");
    ann.say("s", "1").is(200);
    ann.say("s", "2").is(200);
    ann.send("PATCH", "/api/sessions/s", "{\"tags\":[\"kept\"]}").is(200);
    assertThat(ann.get("/api/sessions/s/items?compacted=true").data()).hasSizeGreaterThan(3);
    ann.send("DELETE", "/api/chat/s", "").is(200);
    assertThat(ann.get("/api/sessions/s/items?compacted=true").data()).isEmpty();
    assertThat(ann.get("/api/sessions/s").json()).containsEntry("tags", List.of("kept"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "text/plain;charset=UTF-8", "application/x-www-form-urlencoded"})
  void theBodyIsJsonWhateverItsContentTypeSays(String type) {
    Caller ann = offline();
    Answer answer =
        type.isEmpty() ? ann.say(null, "hello") : ann.say(null, "hello", "Content-Type", type);
    answer.is(200);
  }

  @Test
  void anUnknownIdMakesThatSession_andAForeignOneIsAnotherSession() {
    Caller ann = offline();
    Caller bob = new Caller(servers.get(0), "bob");
    assertThat(ann.say("mine", "hello").is(200).text("session_id")).isEqualTo("mine");
    assertThat(bob.say("mine", "hello").is(200).text("session_id")).isEqualTo("mine");
    ann.say("mine", "hello again").is(200);
    assertThat(items("mine")).hasSize(4);
    assertThat(store.session(new SessionKey("bob", "mine")).getItems()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a/b",
        "50% off",
        "你好 世界",
        "a+b",
        "a;b",
        "a?b&c=d#e",
        "%2F",
        "..",
        ".",
        "\"'\\",
        "🧵",
        "import"
      })
  void idsOfAnyTextWork(String id) {
    Caller ann = offline();
    assertThat(ann.say(id, "hello").is(200).text("session_id")).isEqualTo(id);
    String path = "/api/sessions/" + (id.matches("\\.+") ? id.replace(".", "%2E") : Caller.enc(id));
    assertThat(ann.get(path).is(200).text("session_id")).isEqualTo(id);
    assertThat(ann.get(path + "/items").is(200).data()).hasSize(2);
    ann.send("DELETE", path.replace("sessions", "chat"), "").is(200);
    ann.send("DELETE", path, "").is(200);
    ann.get(path).refused(404, "session_not_found");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | missing_required_parameter",
        "{\"message\":null} | missing_required_parameter",
        "{\"message\":7} | invalid_type",
        "{\"message\":\"\"} | invalid_value",
        "{\"message\":\" \\n\"} | invalid_value",
        "{\"message\":\"x\",\"session_id\":7} | invalid_type",
        "{\"message\":\"x\",\"session_id\":\"a\\u0000b\"} | invalid_value",
        "{\"message\":\"x\",\"stream\":\"yes\"} | invalid_type",
        "{\"message\":\"x\" | invalid_json",
        "[\"x\"] | invalid_json",
        "{\"message\":\"x\",\"message\":\"y\"} | invalid_json",
        "hello | invalid_json"
      })
  void aBadBodyIsRefusedAndNothingIsMade(String body, String code) {
    Caller ann = offline();
    ann.post("/api/chat", body).refused(400, code);
    assertThat(ann.get("/api/sessions").data()).isEmpty();
  }

  @Test
  void anIdThatIsTooLongAndABodyThatIsTooLargeAreRefused() {
    Caller ann = offline();
    ann.say("x".repeat(513), "hello").refused(400, "invalid_value");
    ann.say("s", "x".repeat(1 << 20)).refused(413, "body_too_large");
  }

  @Test
  void anEmptyOrNullIdIsANewSession_andUnknownFieldsAreIgnoredUnlessStrict() {
    Caller ann = offline();
    assertThat(ann.say("", "hello").is(200).text("session_id")).hasSize(36);
    ann.post("/api/chat", "{\"message\":\"hello\",\"session_id\":null,\"colour\":\"x\"}").is(200);
    Caller strict = new Caller(serve(settings -> settings.strict(true)), "ann");
    strict
        .post("/api/chat", "{\"message\":\"hello\",\"colour\":\"x\"}")
        .refused(400, "unknown_parameter");
  }

  @Test
  void aStreamTellsTheSessionEveryPieceEveryItemAndTheReply() {
    Caller ann = offline();
    List<Event> events = ann.chatStream("s", "下周三下午2点开会").rest();
    assertThat(events.get(0).name()).isEqualTo("session");
    assertThat(events.get(0).json()).containsEntry("session_id", "s");
    List<Event> items = events.stream().filter(event -> event.name().equals("item")).toList();
    assertThat(items)
        .extracting(event -> Json.write(event.json().get("item")))
        .containsExactlyElementsOf(
            items("s").stream().skip(1).map(item -> Json.write(Json.read(item.json()))).toList());
    Event done = events.get(events.size() - 1);
    assertThat(done.name()).isEqualTo("done");
    assertThat(done.json())
        .containsOnlyKeys("message", "intent", "session_id", "action_result")
        .containsEntry("intent", "create_event");
    String said =
        String.join(
            "",
            events.stream()
                .filter(event -> event.name().equals("delta"))
                .map(event -> String.valueOf(event.json().get("text")))
                .toList());
    assertThat(said).isEqualTo(done.json().get("message"));
    assertThat(events).extracting(Event::id).doesNotContain("");
  }

  @Test
  void aFieldAsksForAStreamToo() {
    Caller ann = offline();
    List<Event> events =
        ann.stream("POST", "/api/chat", "{\"message\":\"hello\",\"stream\":true}").rest();
    assertThat(events.get(events.size() - 1).name()).isEqualTo("done");
  }

  @Test
  void aModelThatFailsIsAnErrorAndTheMessageIsKept() {
    ScriptedModel script = new ScriptedModel().fails().fails();
    Caller ann = scripted(script);
    ann.say("s", "hello").refused(502, "model_failed");
    assertThat(items("s")).containsExactly(Item.user("hello"));
    List<Event> events = ann.chatStream("s", "again").rest();
    Event last = events.get(events.size() - 1);
    assertThat(last.name()).isEqualTo("error");
    assertThat(Caller.object(last.json().get("error")))
        .containsOnlyKeys("message", "type", "param", "code", "request_id")
        .containsEntry("code", "model_failed");
  }

  @Test
  void aGuardrailThatTripsIsTheCallersError() {
    Agent careful =
        Agent.builder()
            .name("Careful")
            .inputGuardrail(
                Guardrail.of(
                    "no numbers",
                    (context, items) ->
                        items.toString().contains("7")
                            ? Optional.of("there is a number")
                            : Optional.empty()))
            .build();
    Caller ann = scripted(new ScriptedModel().says("fine"), chat -> chat.agent(careful));
    ann.say("s", "7").refused(400, "guardrail_tripped");
    ann.say("s", "x").is(200);
  }

  @Test
  void aNameIsKnownAfterThreeAppointments() {
    Caller ann = offline();
    ann.say("s", "My name is Ada.").is(200);
    ann.say("s", "Book a meeting tomorrow at 2pm").is(200);
    ann.say("s", "Book a lunch tomorrow at 12pm").is(200);
    ann.say("s", "Book a call tomorrow at 5pm").is(200);
    assertThat(items("s")).hasSize(14); // of which 8 are messages
    assertThat(ann.say("s", "What is my name?").text("message")).contains("Ada");
  }

  @Test
  void theOfflineModelSummarisesByWhatWasSaid() {
    Caller ann = offline();
    ann.say("s", "My name is Ada.").is(200);
    ann.say("s", "Book a meeting tomorrow at 2pm").is(200);
    ann.post("/api/sessions/s/compact", "").is(200);
    assertThat(items("s").get(items("s").size() - 1).json())
        .contains("\"compaction\"", "My name is Ada.")
        .doesNotContain("do not understand");
    assertThat(ann.say("s", "What is my name?").is(200).body()).contains("Ada");
  }

  @Test
  void theModelIsShownTenMessagesUnlessSaidOtherwise() {
    ScriptedModel script = new ScriptedModel();
    Caller ann = scripted(script);
    Caller bob = scripted(script, chat -> chat.history(2));
    for (int i = 0; i < 8; i++) {
      script.says("answer " + i);
      ann.say("s", "message " + i).is(200);
    }
    assertThat(script.requests().get(7).input()).hasSize(11);
    script.says("last");
    bob.say("s", "and now").is(200);
    assertThat(script.requests().get(8).input()).hasSize(3);
  }

  @Test
  void aFullSessionRefusesTheNextMessage() {
    ScriptedModel script = new ScriptedModel().says("one").says("two").says("three");
    Caller ann = scripted(script, chat -> chat.limit(4, AtLimit.REFUSE));
    ann.say("s", "1").is(200);
    ann.say("s", "2").is(200);
    ann.say("s", "3").refused(400, "message_limit_reached");
    assertThat(items("s")).hasSize(4);
    List<Event> events = ann.chatStream("s", "3").rest();
    assertThat(events).extracting(Event::name).containsExactly("session", "error");
    ann.say("another", "3").is(200);
  }

  @Test
  void aFullSessionDropsItsOldestTurns() {
    ScriptedModel script = new ScriptedModel().says("one").says("two").says("three");
    Caller ann = scripted(script, chat -> chat.limit(4, AtLimit.DROP_OLDEST));
    ann.say("s", "1").is(200);
    ann.say("s", "2").is(200);
    ann.say("s", "3").is(200);
    assertThat(items("s"))
        .containsExactly(
            Item.user("2"), Item.assistant("two"), Item.user("3"), Item.assistant("three"));
    assertThat(ann.get("/api/sessions/s/items?compacted=true").data()).hasSize(4);
  }

  @Test
  void aFullSessionIsCompacted() {
    ScriptedModel script =
        new ScriptedModel().says("one").says("two").says("three").says("in short");
    Caller ann = scripted(script, chat -> chat.limit(4, AtLimit.COMPACT));
    ann.say("s", "1").is(200);
    ann.say("s", "2").is(200);
    ann.say("s", "3").is(200);
    assertThat(items("s")).hasSize(3);
    assertThat(items("s").get(0).json()).contains("in short");
    assertThat(items("s").subList(1, 3)).containsExactly(Item.user("3"), Item.assistant("three"));
  }

  @Test
  void aMessageThatIsSentAgainIsAnsweredOnce() {
    ScriptedModel script = new ScriptedModel().says("one");
    Caller ann = scripted(script);
    Answer first = ann.say("s", "hello", "Idempotency-Key", "k1").is(200);
    Answer again = ann.say("s", "hello", "Idempotency-Key", "k1").is(200);
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(items("s")).hasSize(2);
    String refused =
        ann.say("s", "other", "Idempotency-Key", "k1")
            .refused(400, "idempotency_key_reused")
            .body();
    assertThat(refused).contains("use a new one").doesNotContain("operation", "chat/");
    script.says("two");
    String made = ann.say(null, "hello", "Idempotency-Key", "k2").is(200).text("session_id");
    assertThat(UUID.fromString(made).version()).isEqualTo(4);
    assertThat(ann.say(null, "hello", "Idempotency-Key", "k2").is(200).text("session_id"))
        .isEqualTo(made);
    assertThat(items(made)).hasSize(2);
  }

  @Test
  void aTurnWaitsForTheOneBefore_andIsRefusedWhenThatTakesTooLong() {
    ScriptedModel script = new ScriptedModel().says("one two").says("three").slowly();
    Agent agent = Agent.builder().name("Assistant").build();
    LiveServer live =
        serve(
            settings ->
                settings
                    .model(script, "script")
                    .turns(TurnSettings.DEFAULT.lockWait(Duration.ofMillis(50)))
                    .chat(ChatSettings.DEFAULT.agent(agent)));
    Caller ann = new Caller(live, "ann");
    try (Caller.Events events = ann.chatStream("s", "first")) {
      events.until("delta");
      ann.post(
              "/api/chat", "{\"session_id\":\"s\",\"message\":\"second\",\"when_busy\":\"refuse\"}")
          .refused(409, "session_busy");
      ann.post("/api/sessions/s/undo", "").refused(409, "session_busy");
      script.go();
      events.until("done");
    }
    ann.say("s", "second").is(200);
    assertThat(items("s"))
        .containsExactly(
            Item.user("first"),
            Item.assistant("one two"),
            Item.user("second"),
            Item.assistant("three"));
  }
}
