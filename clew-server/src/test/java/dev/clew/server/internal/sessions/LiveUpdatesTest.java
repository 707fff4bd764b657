package dev.clew.server.internal.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.Lease;
import dev.clew.SessionUpdate;
import dev.clew.json.Json;
import dev.clew.kit.Sha256;
import dev.clew.server.Caller;
import dev.clew.server.Caller.Event;
import dev.clew.server.Caller.Events;
import dev.clew.server.ChatServers;
import dev.clew.server.ScriptedModel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What readers of a session are told while it changes, at one server and at two. */
class LiveUpdatesTest {
  private static final String EVENTS = "/api/sessions/s/events";

  @TempDir Path folder;
  private ChatServers servers;
  private ScriptedModel script;
  private Caller ann;

  @BeforeEach
  void start() {
    servers = new ChatServers(folder);
    script = new ScriptedModel();
    ann = new Caller(servers.serve(script), "ann");
    servers.session("s").update(SessionUpdate.none());
  }

  @AfterEach
  void stop() {
    script.go();
    servers.close();
  }

  private static List<Map<String, Object>> entries(Event event) {
    return Caller.objects(event.json().get("entries"));
  }

  @Test
  void eachChangeIsToldWithItsVersion() {
    try (Events events = ann.stream("GET", EVENTS, "")) {
      servers.session("s").addItems(List.of(Item.user("one"), Item.user("two")));
      Event appended = events.until("appended");
      assertThat(entries(appended)).hasSize(2);
      assertThat(entries(appended).get(0)).containsOnlyKeys("position", "at", "item");
      assertThat(appended.id()).isEqualTo(String.valueOf(appended.json().get("version")));
      servers.session("s").update(SessionUpdate.none().title("New"));
      events.until("described");
      servers.session("s").popItem();
      assertThat(events.until("removed").json()).containsKey("positions");
      servers.session("s").clearSession();
      events.until("cleared");
    }
  }

  @Test
  void whoComesBackMissesNothingAndHearsNothingTwice_whileOthersWrite() {
    int writers = 4;
    int each = 60;
    List<CompletableFuture<Void>> writing = new ArrayList<>();
    List<String> heard = new ArrayList<>();
    String last = String.valueOf(servers.session("s").info().orElseThrow().version());
    for (int w = 0; w < writers; w++) {
      int writer = w;
      writing.add(
          CompletableFuture.runAsync(
              () ->
                  IntStream.range(0, each)
                      .forEach(
                          i ->
                              servers
                                  .session("s")
                                  .addItems(List.of(Item.user(writer + "-" + i))))));
    }
    while (heard.size() < writers * each) {
      try (Events events = ann.stream("GET", EVENTS, "", "Last-Event-ID", last)) {
        for (int i = 0; i < 7 && heard.size() < writers * each; i++) {
          Event event = events.until("appended");
          entries(event).forEach(entry -> heard.add(Json.write(entry.get("item"))));
          last = event.id();
        }
      }
    }
    writing.forEach(Caller::join);
    assertThat(heard)
        .containsExactlyElementsOf(servers.items("s").stream().map(Item::json).toList());
  }

  @Test
  void aLongStoryIsToldToAReaderThatIsSlow() {
    String large = "x".repeat(20_000);
    String from = String.valueOf(servers.session("s").info().orElseThrow().version());
    for (int i = 0; i < 200; i++) {
      servers.session("s").addItems(List.of(Item.user(i + large)));
    }
    try (Events events = ann.stream("GET", EVENTS + "?after=" + from, "")) {
      int count = 0;
      while (count < 200) {
        count += entries(events.until("appended")).size();
      }
      assertThat(count).isEqualTo(200);
    }
  }

  @Test
  void aPageFromTheItemsOnMissesNothing() {
    servers.session("s").addItems(List.of(Item.user("before")));
    Object version = ann.get("/api/sessions/s/items").json().get("version");
    servers.session("s").addItems(List.of(Item.user("between")));
    try (Events events = ann.stream("GET", EVENTS + "?after=" + version, "")) {
      assertThat(entries(events.until("appended")).toString()).contains("between");
    }
  }

  @Test
  void aVersionThatIsNotKnownMeansToReadAgain() {
    try (Events events = ann.stream("GET", EVENTS, "", "Last-Event-ID", "999999999999")) {
      events.until("reload");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "-1", "1.5", "99999999999999999999"})
  void anIdOfNoEventIsRefused(String id) {
    ann.get(EVENTS, "Last-Event-ID", id).refused(400, "invalid_value");
  }

  @Test
  void anAbsentSessionAndAForeignOneAreTheSame() {
    Caller bob = new Caller(servers.serve(new ScriptedModel()), "bob");
    bob.get(EVENTS).refused(404, "session_not_found");
    ann.get("/api/sessions/none/events").refused(404, "session_not_found");
  }

  @Test
  void aReaderHearsATurnAsItIsSaid_andAnotherJoinsInMidSentence() {
    script.says("one two three").slowly();
    try (Events first = ann.stream("GET", EVENTS, "");
        Events said = ann.chatStream("s", "count")) {
      said.until("delta");
      assertThat(first.until("turn").json()).containsEntry("state", "running");
      assertThat(first.until("delta").json()).containsEntry("text", "one ");
      try (Events joined = ann.stream("GET", EVENTS, "")) {
        assertThat(joined.until("delta").json()).containsEntry("text", "one ");
        script.go();
        assertThat(joined.until("delta").json()).containsEntry("text", "two ");
        assertThat(joined.until("delta").json()).containsEntry("text", "three");
        assertThat(joined.until("turn").json()).containsEntry("state", "done");
      }
      Event answer = first.until("appended");
      assertThat(entries(answer).toString()).contains("one two three");
    }
  }

  @Test
  void aTurnIsToldHoweverShortItIs_butNotOneThatWasOverBefore() {
    script.says("before");
    ann.say("s", "first").is(200);
    try (Events events = ann.stream("GET", EVENTS, "")) {
      for (int i = 0; i < 10; i++) {
        script.says("answer " + i);
        ann.say("s", "question " + i).is(200);
        assertThat(events.until("turn").json()).containsEntry("state", "running");
        assertThat(events.until("delta").json()).containsEntry("text", "answer ");
        assertThat(events.until("turn").json()).containsEntry("state", "done");
      }
    }
  }

  @Test
  void anAnswerThatIsGivenAgainIsHeardAsItIsSaid() {
    script.fails();
    ann.say("s", "question").is(502);
    try (Events events = ann.stream("GET", EVENTS, "")) {
      ScriptedModel.Held held = script.thenHold("one ", "two");
      try (Events again = ann.stream("POST", "/api/sessions/s/regenerate", "{\"stream\":true}")) {
        assertThat(events.until("turn").json()).containsEntry("state", "running");
        assertThat(events.until("delta").json()).containsEntry("text", "one ");
        assertThat(ann.get("/api/turns").body()).contains("\"state\":\"running\"");
        held.release();
        again.until("done");
        assertThat(events.until("turn").json()).containsEntry("state", "done");
        assertThat(ann.get("/api/turns").body()).isEqualTo("{\"data\":[]}");
      }
    }
  }

  @Test
  void aReaderIsToldWhatWaitsForADecision() {
    script.calls("c1", "send_mail", "{\"to\":\"bob\"}");
    try (Events events = ann.stream("GET", EVENTS, "")) {
      ann.say("s", "mail bob").is(200);
      assertThat(events.until("approval").json()).containsEntry("call_id", "c1");
      assertThat(events.until("turn").json()).containsEntry("state", "waiting");
    }
  }

  @Test
  void aTurnWhoseServerDiedHasFailed() {
    String mark = "turn/" + Sha256.hex("s");
    Lease lease = servers.session("s").lease("turn", Duration.ofMinutes(1), Duration.ofSeconds(1));
    servers
        .store
        .documents()
        .put(
            "ann",
            mark,
            "{\"turn_id\":\"turn_1\",\"running\":true}",
            OptionalLong.empty(),
            Optional.empty());
    try (Events events = ann.stream("GET", EVENTS, "")) {
      assertThat(events.until("turn").json()).containsEntry("state", "running");
      lease.close();
      assertThat(events.until("turn").json())
          .containsEntry("turn_id", "turn_1")
          .containsEntry("state", "failed");
      script.says("alive");
      ann.say("s", "hello").is(200);
      assertThat(events.until("appended").data()).contains("hello");
    }
  }
}
