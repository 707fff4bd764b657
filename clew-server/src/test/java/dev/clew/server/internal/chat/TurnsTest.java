package dev.clew.server.internal.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.agent.Agent;
import dev.clew.server.Caller;
import dev.clew.server.Caller.Answer;
import dev.clew.server.Caller.Event;
import dev.clew.server.ChatServers;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Turns of a session: again, stopped, decided about, compacted; also with two servers. */
class TurnsTest {
  @TempDir Path folder;
  private ChatServers servers;
  private ScriptedModel script;
  private LiveServer live;
  private Caller ann;

  @BeforeEach
  void start() {
    servers = new ChatServers(folder);
    script = new ScriptedModel();
    live = servers.serve(script);
    ann = new Caller(live, "ann");
  }

  @AfterEach
  void stop() {
    script.go();
    servers.close();
  }

  private static String approval(String call, boolean approve) {
    return "{\"call_id\":\"" + call + "\",\"approve\":" + approve + "}";
  }

  @Test
  void aCallThatNeedsAPersonWaits_andGoesOnWithTheDecision() {
    script.calls("c1", "send_mail", "{\"to\":\"bob\"}").says("Sent.");
    Answer asked = ann.say("s", "mail bob").is(200);
    assertThat(asked.json())
        .containsEntry("message", "")
        .containsEntry("intent", "send_mail")
        .containsEntry("action_result", null)
        .containsEntry(
            "approvals",
            List.of(
                Map.of("call_id", "c1", "tool", "send_mail", "arguments", Map.of("to", "bob"))));
    assertThat(ann.get("/api/sessions/s/approvals").is(200).data())
        .containsExactly(
            Map.of("call_id", "c1", "tool", "send_mail", "arguments", Map.of("to", "bob")));
    assertThat(servers.sent).isEmpty();
    Answer done = ann.post("/api/sessions/s/approvals", approval("c1", true)).is(200);
    assertThat(done.json())
        .containsOnlyKeys("message", "intent", "session_id", "action_result")
        .containsEntry("message", "Sent.")
        .containsEntry("intent", "send_mail")
        .containsEntry("action_result", Map.of("sent", true));
    assertThat(servers.sent).containsExactly("bob");
    assertThat(servers.items("s")).hasSize(4);
    assertThat(ann.get("/api/sessions/s/approvals").data()).isEmpty();
    ann.post("/api/sessions/s/approvals", approval("c1", true)).refused(404, "approval_not_found");
  }

  @Test
  void aRefusalIsToldToTheModel() {
    script.calls("c1", "send_mail", "{\"to\":\"bob\"}").says("Then not.");
    ann.say("s", "mail bob");
    Answer done =
        ann.post(
                "/api/sessions/s/approvals",
                "{\"call_id\":\"c1\",\"approve\":false,\"message\":\"not today\"}")
            .is(200);
    assertThat(done.json())
        .containsEntry("message", "Then not.")
        .containsEntry("action_result", "not today");
    assertThat(servers.sent).isEmpty();
  }

  @Test
  void severalCallsAreDecidedOneByOne_andAlwaysHoldsForTheRun() {
    script
        .answers(
            Item.functionCall("c1", "send_mail", "{\"to\":\"a\"}"),
            Item.functionCall("c2", "send_mail", "{\"to\":\"b\"}"))
        .calls("c3", "send_mail", "{\"to\":\"c\"}")
        .says("All sent.");
    ann.say("s", "mail all");
    Answer first = ann.post("/api/sessions/s/approvals", approval("c2", false)).is(200);
    assertThat(Caller.objects(first.json().get("approvals")))
        .extracting(call -> call.get("call_id"))
        .containsExactly("c1");
    Answer done =
        ann.post(
                "/api/sessions/s/approvals",
                "{\"call_id\":\"c1\",\"approve\":true,\"always\":true}")
            .is(200);
    assertThat(done.json()).containsEntry("message", "All sent.");
    assertThat(servers.sent).containsExactly("a", "c");
  }

  @Test
  void aDecisionThatComesTwiceIsCarriedOutOnce() {
    script.calls("c1", "send_mail", "{\"to\":\"bob\"}").says("Sent.");
    ann.say("s", "mail bob");
    List<CompletableFuture<Answer>> both =
        List.of(
            ann.sendAsync("POST", "/api/sessions/s/approvals", approval("c1", true)),
            ann.sendAsync("POST", "/api/sessions/s/approvals", approval("c1", true)));
    List<Answer> answers = both.stream().map(Caller::join).toList();
    assertThat(answers).anyMatch(answer -> answer.status() == 200);
    for (Answer answer : answers) {
      if (answer.status() == 200) {
        assertThat(answer.json()).containsEntry("message", "Sent.");
      } else {
        answer.refused(404, "approval_not_found"); // it came when all was over
      }
    }
    assertThat(servers.sent).containsExactly("bob");
    assertThat(servers.items("s")).hasSize(4);
  }

  @Test
  void aRunThatFailedAfterTheDecisionGoesOnWhenItIsSentAgain() {
    script.calls("c1", "send_mail", "{\"to\":\"bob\"}").fails().says("Sent.");
    ann.say("s", "mail bob");
    ann.post("/api/sessions/s/approvals", approval("c1", true)).refused(502, "model_failed");
    Answer again = ann.post("/api/sessions/s/approvals", approval("c1", true)).is(200);
    assertThat(again.json()).containsEntry("message", "Sent.");
    assertThat(servers.sent).containsExactly("bob");
    assertThat(servers.items("s")).hasSize(4);
  }

  @Test
  void aServerWithAnotherAgentSaysThatItCannotGoOn() {
    script.calls("c1", "send_mail", "{\"to\":\"bob\"}");
    ann.say("s", "mail bob");
    LiveServer other =
        servers.serve(
            new ScriptedModel(),
            settings ->
                settings.chat(settings.chat().agent(Agent.builder().name("Other").build())));
    new Caller(other, "ann")
        .post("/api/sessions/s/approvals", approval("c1", true))
        .refused(409, "cannot_go_on");
  }

  @Test
  void aTurnGoesOnWithoutItsReader() {
    script.says("one two three").slowly();
    try (Caller.Events events = ann.chatStream("s", "count")) {
      events.until("delta");
    }
    script.go();
    Eventually.ask("the answer is stored", () -> servers.items("s").size(), size -> size == 2);
    assertThat(servers.items("s").get(1)).isEqualTo(Item.assistant("one two three"));
  }

  @Test
  void aStreamTellsWhatWaits() {
    script.calls("c1", "send_mail", "{\"to\":\"bob\"}");
    List<Event> events = ann.chatStream("s", "mail bob").rest();
    assertThat(events)
        .extracting(Event::name)
        .containsExactly("session", "item", "approval", "done");
    assertThat(events.get(2).json()).containsEntry("tool", "send_mail");
  }

  @Test
  void whoSaysSomethingElseOrTakesItBackDecidesNoMore() {
    script.calls("c1", "send_mail", "{\"to\":\"bob\"}").says("Fine.");
    ann.say("s", "mail bob");
    ann.say("s", "never mind").is(200);
    assertThat(ann.get("/api/sessions/s/approvals").data()).isEmpty();
    ann.post("/api/sessions/s/approvals", approval("c1", true)).refused(404, "approval_not_found");
    script.calls("c2", "send_mail", "{\"to\":\"bob\"}");
    ann.say("s", "mail bob");
    assertThat(ann.get("/api/sessions/s/approvals").data()).hasSize(1);
    ann.post("/api/sessions/s/undo", "").is(200);
    assertThat(ann.get("/api/sessions/s/approvals").data()).isEmpty();
    assertThat(servers.sent).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | 400 | missing_required_parameter",
        "{\"call_id\":\"c1\"} | 400 | missing_required_parameter",
        "{\"call_id\":\"c1\",\"approve\":\"yes\"} | 400 | invalid_type",
        "{\"call_id\":\"c1\",\"approve\":true,\"message\":\"x\"} | 400 | invalid_value",
        "{\"call_id\":\"c9\",\"approve\":true} | 404 | approval_not_found"
      })
  void aDecisionThatIsNoneIsRefused(String body, int status, String code) {
    script.calls("c1", "send_mail", "{\"to\":\"bob\"}");
    ann.say("s", "mail bob");
    ann.post("/api/sessions/s/approvals", body).refused(status, code);
    assertThat(ann.get("/api/sessions/s/approvals").data()).hasSize(1);
  }

  @Test
  void anAnswerIsGivenAgain() {
    script.says("one").says("two").says("three");
    ann.say("s", "first");
    ann.say("s", "second");
    Answer again = ann.post("/api/sessions/s/regenerate", "").is(200);
    assertThat(again.json()).containsEntry("message", "three").containsEntry("session_id", "s");
    assertThat(servers.items("s"))
        .containsExactly(
            Item.user("first"),
            Item.assistant("one"),
            Item.user("second"),
            Item.assistant("three"));
    assertThat(script.requests().get(2).input())
        .containsExactly(Item.user("first"), Item.assistant("one"), Item.user("second"));
    script.says("four");
    List<Event> events =
        ann.stream("POST", "/api/sessions/s/regenerate", "{\"stream\":true}").rest();
    assertThat(events).extracting(Event::name).containsExactly("session", "delta", "item", "done");
  }

  @Test
  void anAnswerThatCannotBeGivenAgainStays() {
    script.says("one").fails();
    ann.say("s", "first");
    ann.post("/api/sessions/s/regenerate", "").refused(502, "model_failed");
    assertThat(servers.items("s")).containsExactly(Item.user("first"), Item.assistant("one"));
  }

  @Test
  void whereNobodySaidAnythingNothingIsAnsweredAgain() {
    servers.session("s").addItems(List.of(Item.assistant("Welcome!")));
    ann.post("/api/sessions/s/regenerate", "").refused(400, "nothing_to_answer");
    assertThat(servers.items("s")).hasSize(1);
    ann.post("/api/sessions/none/regenerate", "").refused(404, "session_not_found");
  }

  @Test
  void aTurnIsStoppedAndItsTextKept() {
    script.says("one two three").slowly();
    CompletableFuture<Answer> said =
        ann.sendAsync("POST", "/api/chat", Caller.message("s", "count"));
    Eventually.ask("the model was asked", script.requests()::size, size -> size == 1);
    assertThat(ann.post("/api/sessions/s/stop", "").is(200).json()).containsEntry("stopping", true);
    Answer answer = Caller.join(said).is(200);
    assertThat(answer.json()).containsEntry("stopped", true);
    assertThat(servers.items("s").size()).isBetween(1, 2);
    assertThat(ann.post("/api/sessions/s/stop", "").is(200).json())
        .containsEntry("stopping", false);
    ann.post("/api/sessions/none/stop", "").refused(404, "session_not_found");
  }

  @Test
  void aSessionThatIsDeletedInTheMiddleOfATurnStaysDeleted() {
    script.says("one two three").slowly();
    try (Caller.Events events = ann.chatStream("s", "count")) {
      events.until("delta");
      assertThat(ann.send("DELETE", "/api/sessions/s", "").is(200).json())
          .containsEntry("deleted", true);
      events.until(event -> event.name().equals("done") || event.name().equals("error"));
    }
    ann.get("/api/sessions/s").refused(404, "session_not_found");
    Eventually.ask(
        "what the turn said is gone",
        () -> servers.store.documents().list("ann", "log/", Optional.empty(), 10),
        List::isEmpty);
  }

  @Test
  void aServerThatIsClosedStopsItsTurnsCleanly() {
    script.says("one two three").slowly();
    Caller.Events events = ann.chatStream("s", "count");
    events.until("delta");
    live.close();
    assertThat(events.rest()).isNotEmpty();
    assertThat(servers.items("s")).hasSize(2);
    assertThat(servers.items("s").get(1).json()).contains("\"incomplete\"");
    assertThat(servers.store.leases().holder(new SessionKey("ann", "s"), "turn")).isEmpty();
  }

  @Test
  void aHistoryIsCompactedInPlace() {
    script.says("one").says("two").says("They said one and two.").says("three");
    ann.say("s", "first");
    ann.say("s", "second");
    assertThat(ann.post("/api/sessions/s/compact", "").is(200).json())
        .containsEntry("compacted", true)
        .containsEntry("items_before", 4L)
        .containsEntry("items_after", 1L);
    assertThat(servers.items("s")).hasSize(5);
    ann.say("s", "third").is(200);
    assertThat(script.requests().get(3).input()).hasSize(2);
    assertThat(script.requests().get(3).input().get(0).json()).contains("They said one and two.");
    ann.post("/api/sessions/none/compact", "").refused(404, "session_not_found");
  }

  @Test
  void aCompactionTakesInstructions() {
    script.says("one").says("two").says("One, two.");
    ann.say("s", "first");
    ann.say("s", "second");
    ann.post("/api/sessions/s/compact", "{\"instructions\":\"Keep every number.\"}").is(200);
    assertThat(script.lastRequest().instructions())
        .contains("transcript of a conversation")
        .endsWith("\n\nKeep every number.");
    String long20001 = "{\"instructions\":\"" + "x".repeat(20_001) + "\"}";
    ann.post("/api/sessions/s/compact", long20001).refused(400, "string_above_max_length");
    ann.post("/api/sessions/s/compact", "{\"instructions\":7}").refused(400, "invalid_type");
  }

  @Test
  void whatCannotBeCompactedIsSaid() {
    servers.session("s").update(SessionUpdate.none());
    assertThat(ann.post("/api/sessions/s/compact", "").is(200).json())
        .containsEntry("compacted", false);
    servers.session("s").addItems(List.of(Item.user("hello")));
    script.fails();
    ann.post("/api/sessions/s/compact", "").refused(502, "model_failed");
    assertThat(servers.items("s")).hasSize(1);
  }

  @Test
  void whatWasUsedIsCountedPerDay() {
    script.says("one").calls("c1", "send_mail", "{\"to\":\"bob\"}").says("two").fails();
    ann.say("s", "first"); // shown 1 item
    ann.say("s", "second"); // shown 3
    ann.post("/api/sessions/s/approvals", approval("c1", true)); // shown 5
    ann.say("s", "third").is(502);
    Answer usage = ann.get("/api/usage").is(200);
    assertThat(usage.data()).hasSize(1);
    assertThat(usage.data().get(0))
        .containsEntry("turns", 3L)
        .containsEntry("requests", 3L)
        .containsEntry("input_tokens", 90L)
        .containsEntry("output_tokens", 15L);
    assertThat(Caller.object(usage.json().get("total"))).containsEntry("turns", 3L);
    assertThat(Caller.object(usage.json().get("storage")))
        .containsEntry("sessions", 1L)
        .containsEntry("items", 7L)
        .containsEntry("partial", false);
    Caller bob = new Caller(live, "bob");
    assertThat(bob.get("/api/usage").data()).isEmpty();
    ann.get("/api/usage?days=0").refused(400, "integer_below_min_value");
  }

  @Test
  void turnsOfOneOwnerAtTwoServersAreAllCounted() {
    ScriptedModel other = new ScriptedModel();
    Caller there = new Caller(servers.serve(other), "ann");
    List<CompletableFuture<Answer>> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      (i % 2 == 0 ? script : other).says("answer");
      all.add(
          (i % 2 == 0 ? ann : there)
              .sendAsync("POST", "/api/chat", Caller.message("s" + i, "hello")));
    }
    all.forEach(answer -> Caller.join(answer).is(200));
    Eventually.ask( // what the other server has counted is here a moment later
        "all turns",
        () -> ann.get("/api/usage").data(),
        days -> !days.isEmpty() && days.get(0).get("turns").equals(20L));
  }
}
