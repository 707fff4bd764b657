package dev.clew.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.agent.ModelEvent;
import dev.clew.json.Json;
import dev.clew.server.EventReader;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A reader that does not keep up delays nobody, and misses nothing. */
class SlowReaderTest {
  private static final int PIECES = 9000;
  private static final String PIECE = "0123456789".repeat(50);

  @TempDir Path folder;
  private final ScriptedModel model = new ScriptedModel();
  private SessionStore store;
  private LiveServer one;
  private LiveServer two;
  private String bearer;

  @BeforeEach
  void start() {
    store = Stores.open("sqlite:" + folder.resolve("l.db"));
    one = new LiveServer(store, settings -> settings.model(model, "tiny"));
    two = new LiveServer(store, settings -> settings.model(model, "tiny"));
    bearer = "Bearer " + one.token("ann");
  }

  @AfterEach
  void stop() {
    one.close();
    two.close();
    store.close();
  }

  @Test
  @Timeout(60)
  void aRunEndsWhileItsReaderSleeps_andTheReaderGetsEverythingInOrder() {
    model.then(
        (request, listener) -> {
          for (int i = 0; i < PIECES; i++) {
            listener.accept(new ModelEvent.TextDelta(PIECE));
          }
          return ScriptedModel.counted(Item.assistant(PIECE.repeat(PIECES)));
        });
    try (EventReader slow =
        one.events(
            "POST",
            "/v1/responses",
            "{\"model\":\"tiny\",\"input\":\"hi\",\"stream\":true}",
            "Authorization",
            bearer)) {
      EventReader.Event created = slow.until("response.created");
      String id =
          Objects.requireNonNull(
              Json.string(Json.fields(created.fields().get("response")).get("id")));
      Eventually.ask(
          "the run ends",
          () -> store.leases().holder(new SessionKey("ann", id), "turn"),
          Optional::isEmpty);
      assertThat(countTo(slow, 1)).isEqualTo(PIECES);
      try (EventReader late =
          two.events(
              "GET",
              "/v1/responses/" + id + "?stream=true&starting_after=4000",
              "",
              "Authorization",
              bearer)) {
        assertThat(countTo(late, 4001)).isEqualTo(PIECES - 4001 + 4);
      }
    }
  }

  /** Reads to the end, checks that no number is missing, and counts the pieces of text. */
  private static int countTo(EventReader reader, long first) {
    long expected = first;
    int pieces = 0;
    for (Optional<EventReader.Event> next = reader.next(); ; next = reader.next()) {
      EventReader.Event event = next.orElseThrow(() -> new AssertionError("ended early"));
      if (event.data().equals("[DONE]")) {
        assertThat(reader.next()).isEmpty();
        return pieces;
      }
      // Read by hand: some of these events are very large.
      String start = "{\"type\":\"" + event.name() + "\",\"sequence_number\":" + expected + ",";
      assertThat(event.data()).startsWith(start);
      expected++;
      pieces += event.name().equals("response.output_text.delta") ? 1 : 0;
    }
  }
}
