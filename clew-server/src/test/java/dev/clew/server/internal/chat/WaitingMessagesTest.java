package dev.clew.server.internal.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.json.JsonObject;
import dev.clew.kit.Sha256;
import dev.clew.server.Caller;
import dev.clew.server.Caller.Events;
import dev.clew.server.ChatServers;
import dev.clew.server.ScriptedModel;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said while a turn runs waits for it, at whichever server. */
class WaitingMessagesTest {
  private static final String QUEUE = "/api/sessions/s/queue";

  @TempDir Path folder;
  private ChatServers servers;
  private final ScriptedModel script = new ScriptedModel();
  private Caller ann;
  private Caller annElsewhere;

  @BeforeEach
  void start() {
    servers = new ChatServers(folder);
    ann = new Caller(servers.serve(script), "ann");
    annElsewhere = new Caller(servers.serve(new ScriptedModel()), "ann");
    servers.session("s").update(SessionUpdate.none());
  }

  @AfterEach
  void stop() {
    servers.close();
  }

  private List<Map<String, Object>> waiting() {
    return Caller.objects(ann.get(QUEUE).json().get("data"));
  }

  private static Object withdraw(Caller caller, Object turn) {
    return caller.send("DELETE", QUEUE + "/" + turn, "").is(200).json().get("withdrawn");
  }

  @Test
  void messagesAreAnsweredInTheirOrder_atWhicheverServerTheyCame() {
    ScriptedModel.Held held = script.thenHold("one", ".");
    try (Events first = ann.chatStream("s", "first")) {
      first.until("delta");
      try (Events second = annElsewhere.chatStream("s", "second")) {
        second.until("queued");
        try (Events third = ann.chatStream("s", "third")) {
          third.until("queued");
          assertThat(waiting()).extracting(each -> each.get("waits")).containsExactly(true, true);
          held.release();
          third.until("done");
        }
        second.until("done");
      }
    }
    assertThat(servers.texts("s"))
        .containsExactly("first", "one.", "second", "echo second", "third", "echo third");
    assertThat(waiting()).isEmpty();
  }

  @Test
  void aMessageIsWithdrawnFromAnyServer() {
    ScriptedModel.Held held = script.thenHold("one", ".");
    try (Events first = ann.chatStream("s", "first")) {
      first.until("delta");
      try (Events second = ann.chatStream("s", "second")) {
        Object turn = second.until("queued").json().get("turn_id");
        assertThat(withdraw(annElsewhere, turn)).isEqualTo(true);
        assertThat(second.until("done").json()).containsEntry("stopped", true);
        assertThat(withdraw(ann, turn)).isEqualTo(false);
      }
      held.release();
      first.until("done");
    }
    assertThat(servers.texts("s")).containsExactly("first", "one.");
  }

  @Test
  void whoDoesNotWantToWaitIsRefused() {
    ScriptedModel.Held held = script.thenHold("one", ".");
    try (Events first = ann.chatStream("s", "first")) {
      first.until("delta");
      String refuse = "{\"session_id\":\"s\",\"message\":\"second\",\"when_busy\":\"refuse\"}";
      ann.post("/api/chat", refuse).refused(409, "session_busy");
      annElsewhere.post("/api/chat", refuse).refused(409, "session_busy");
      ann.post("/api/chat", "{\"message\":\"x\",\"when_busy\":\"never\"}")
          .refused(400, "invalid_value");
      held.release();
      first.until("done");
    }
    assertThat(servers.texts("s")).containsExactly("first", "one.");
  }

  @Test
  void aMessageWhoseServerIsGoneStays_andNobodyWaitsForIt() {
    SessionKey key = new SessionKey("ann", "s");
    servers
        .store
        .documents()
        .put(
            "ann",
            "queue/" + Sha256.hex("s") + "/000000000000001-turn_gone",
            new JsonObject()
                .put("turn_id", "turn_gone")
                .put("at", "1970-01-01T00:00:00.001Z")
                .raw("message", Item.user("do not lose me").json())
                .toString(),
            OptionalLong.empty(),
            Optional.empty());
    ann.say("s", "hello").is(200);
    assertThat(waiting()).hasSize(1);
    assertThat(waiting().get(0)).containsEntry("waits", false);
    assertThat(new WaitingMessages(servers.store, Clock.systemUTC()).isEmpty(key)).isTrue();
    ann.send("DELETE", QUEUE + "/turn_gone", "").is(200);
    assertThat(waiting()).isEmpty();
  }

  @Test
  void whatWaitsGoesWithItsSession() {
    ScriptedModel.Held held = script.thenHold("one", ".");
    try (Events first = ann.chatStream("s", "first")) {
      first.until("delta");
      try (Events second = ann.chatStream("s", "second")) {
        second.until("queued");
        ann.send("DELETE", "/api/sessions/s", "").is(200);
        assertThat(second.until("done").json()).containsEntry("stopped", true);
      }
    }
    held.release();
    assertThat(servers.session("s").info()).isEmpty();
  }
}
