package dev.clew.server.internal.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.memory.MemoryStore;
import dev.clew.server.Caller;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A turn that failed can be seen as failed, also later. */
class FailedNoteTest {
  private final MemoryStore store = MemoryStore.builder().build();
  private final ScriptedModel script = new ScriptedModel();
  private final LiveServer live =
      new LiveServer(store, settings -> settings.model(script, "script"));
  private final Caller ann = new Caller(live, "ann");

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  @Test
  void aMessageWhoseTurnFailedSaysSo_untilItIsAnswered() {
    script.says("hi").fails().fails().says("at last");
    ann.say("s", "hello").is(200);
    ann.say("s", "again").refused(502, "model_failed");
    assertThat(failures()).containsExactly("", "", "model_failed");
    ann.post("/api/sessions/s/regenerate", "").refused(502, "model_failed");
    assertThat(failures()).containsExactly("", "", "model_failed");
    ann.post("/api/sessions/s/regenerate", "").is(200);
    assertThat(failures()).containsExactly("", "", "", "");
  }

  @Test
  void aMessageThatIsSentAgainAfterAFailureLosesItsNoteWhenItIsAnswered() {
    script.fails().says("at last");
    String body = "{\"session_id\":\"s\",\"message\":\"hello\"}";
    ann.post("/api/chat", body, "Idempotency-Key", "k").refused(502, "model_failed");
    assertThat(failures()).containsExactly("model_failed");
    ann.post("/api/chat", body, "Idempotency-Key", "k").is(200);
    assertThat(failures()).containsExactly("", "");
  }

  /** What the note {@code failed} of each item says. */
  private List<String> failures() {
    return ann.get("/api/sessions/s/items").is(200).data().stream()
        .map(entry -> entry.get("notes"))
        .map(
            notes ->
                notes == null ? "" : Caller.object(notes).getOrDefault("failed", "").toString())
        .toList();
  }
}
