package dev.clew.server.internal.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Documents.Document;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.memory.MemoryStore;
import dev.clew.server.Caller;
import dev.clew.server.Caller.Answer;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.tck.FaultyStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is kept of turns goes when their session is cleared or deleted. */
class ClearedTurnsTest {
  /** The documents of logs; a slow turn has several. */
  private static List<String> logs(SessionStore store) {
    List<Document> logs = store.documents().list("ann", "log/", Optional.empty(), 100);
    return logs.stream().map(Document::name).toList();
  }

  private static LiveServer serve(SessionStore store, ScriptedModel script) {
    return new LiveServer(store, settings -> settings.model(script, "script"));
  }

  @ParameterizedTest
  @CsvSource({"sqlite:c.db, /api/chat/s", "sqlite:c.db, /api/sessions/s"})
  void anAnswerIsInNoDocumentAfterwards(String url, String cleared, @TempDir Path folder) {
    ScriptedModel script = new ScriptedModel();
    script.says("Ravens sleep in trees.").says("Swallows sleep in reeds.");
    try (SessionStore store = Stores.open(url.replace(":", ":" + folder + "/"));
        LiveServer live = serve(store, script)) {
      Caller ann = new Caller(live, "ann");
      ann.say("s", "Where do they sleep?").is(200);
      List<String> ofThatTurn = logs(store);
      ann.say("other", "And the others?").is(200);
      List<String> ofBoth = logs(store);
      assertThat(ofThatTurn).isNotEmpty();
      ann.send("DELETE", cleared, "").is(200);
      assertThat(logs(store))
          .isNotEmpty()
          .containsExactlyInAnyOrderElementsOf(
              ofBoth.stream().filter(log -> !ofThatTurn.contains(log)).toList());
    }
  }

  @ParameterizedTest
  @CsvSource({"/api/chat/s", "/api/sessions/s"})
  void aTurnThatIsJustEndingDoesNotBringItBack(String cleared) {
    ScriptedModel script = new ScriptedModel();
    script.says("Ravens sleep in trees.");
    try (FaultyStore store = new FaultyStore(new MemoryStore());
        LiveServer live = serve(store, script)) {
      Caller ann = new Caller(live, "ann");
      // The first document of a turn says that it has begun; those after it come at its end.
      int second = store.calls("records.put") + 2;
      FaultyStore.Hold ending = store.hold(FaultyStore.nth("records.put", second));
      CompletableFuture<Answer> said =
          ann.sendAsync("POST", "/api/chat", Caller.message("s", "Where do they sleep?"));
      ending.awaitReached();
      ann.send("DELETE", cleared, "").is(200);
      ending.release();
      Caller.join(said);
      Eventually.ask("nothing is kept of the turn", () -> logs(store), List::isEmpty);
    }
  }

  @Test
  void aClearedSessionKeepsTheLogOfItsNextTurn() {
    ScriptedModel script = new ScriptedModel();
    script.says("one").says("two");
    try (SessionStore store = new MemoryStore();
        LiveServer live = serve(store, script)) {
      Caller ann = new Caller(live, "ann");
      ann.say("s", "1").is(200);
      ann.send("DELETE", "/api/chat/s", "").is(200);
      ann.say("s", "2").is(200);
      assertThat(logs(store)).isNotEmpty();
      assertThat(ann.get("/api/sessions/s/messages").data()).hasSize(2);
    }
  }
}
