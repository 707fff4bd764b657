package dev.clew.server.internal.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.Lease;
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
import java.time.Duration;
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
                .put("state", "waits")
                .toString(),
            OptionalLong.empty(),
            Optional.empty());
    servers
        .store
        .documents()
        .put(
            "ann",
            "queued/" + Sha256.hex("s") + "/turn_gone",
            Item.user("do not lose me").json(),
            OptionalLong.empty(),
            Optional.empty());
    ann.say("s", "hello").is(200);
    assertThat(waiting()).hasSize(1);
    assertThat(waiting().get(0)).containsEntry("waits", false);
    assertThat(waiting().get(0).get("message").toString()).contains("do not lose me");
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

  private static Item image(int bytes) {
    return Item.parse(
        "{\"type\":\"message\",\"role\":\"user\",\"content\":[" + part(bytes) + "]}",
        ItemLimits.STORE);
  }

  private static String part(int bytes) {
    String url = "data:image/png;base64," + "A".repeat(bytes / 4 * 4);
    return "{\"type\":\"input_image\",\"image_url\":\"" + url + "\"}";
  }

  @Test
  void whatIsLookedAtWhileMessagesWaitIsShort_andTheyAreBounded() {
    WaitingMessages waiting = new WaitingMessages(servers.store, Clock.systemUTC());
    SessionKey key = new SessionKey("ann", "s");
    Duration life = Duration.ofMinutes(1);
    try (Lease one = waiting.add(key, "turn_1", image(6 << 20), life)) {
      assertThat(servers.store.documents().list("ann", "queue/", Optional.empty(), 10))
          .hasSize(1)
          .allMatch(document -> document.json().length() < 1_000);
      assertThat(ann.get(QUEUE).is(200).body()).hasSizeGreaterThan(6 << 20);
      assertThatThrownBy(() -> waiting.add(key, "turn_2", image(6 << 20), life))
          .hasMessageContaining("10 MiB");
      try (Lease two = waiting.add(key, "turn_2", image(1 << 20), life)) {
        assertThat(waiting.isNext(key, "turn_1")).isTrue();
        assertThat(waiting.isNext(key, "turn_2")).isFalse();
        assertThat(one.fence()).isNotEqualTo(two.fence());
      }
    }
    waiting.forget(key);
    assertThat(servers.store.documents().list("ann", "queue", Optional.empty(), 10)).isEmpty();
  }

  @Test
  void aMessageStaysUntilItIsInTheSession_alsoIfItsServerDiesWhenItsTurnBegins() {
    WaitingMessages queue = new WaitingMessages(servers.store, Clock.systemUTC());
    SessionKey key = new SessionKey("ann", "s");
    try (Lease place = queue.add(key, "turn_1", Item.user("keep me"), Duration.ofMinutes(1))) {
      assertThat(queue.take(key, "turn_1")).isTrue();
      assertThat(place.fence().number()).isPositive();
      assertThat(waiting()).as("it does not wait any more").isEmpty();
      assertThat(withdraw(ann, "turn_1")).isEqualTo(false);
    }
    assertThat(waiting()).hasSize(1);
    assertThat(waiting().get(0)).containsEntry("waits", false);
    assertThat(withdraw(ann, "turn_1")).isEqualTo(true);
    assertThat(waiting()).isEmpty();
    assertThat(queue.take(key, "turn_1")).isFalse();
  }

  @Test
  void aMessageThatIsInTheSessionIsNotInTheQueue_alsoIfItsServerDiedInBetween() {
    WaitingMessages queue = new WaitingMessages(servers.store, Clock.systemUTC());
    SessionKey key = new SessionKey("ann", "s");
    Item message = Item.user("yes");
    servers.session("s").addItems(List.of(message, Item.assistant("said before")));
    try (Lease place = queue.add(key, "turn_1", message, Duration.ofMinutes(1))) {
      assertThat(queue.take(key, "turn_1")).isTrue();
      assertThat(place.fence().number()).isPositive();
    }
    assertThat(waiting()).as("the same was said before").hasSize(1);
    servers.session("s").addItems(List.of(message));
    assertThat(waiting()).isEmpty();
    assertThat(servers.store.documents().list("ann", "queue", Optional.empty(), 10)).isEmpty();
  }
}
