package dev.clew.server.internal.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.View;
import dev.clew.json.Json;
import dev.clew.server.EventReader;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.ServerProgram;
import dev.clew.tck.FaultyStore;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is killed in the middle of a turn leaves neither half a turn nor a riddle. */
@Tag("hostile")
class KilledServerTest {
  @TempDir Path folder;
  private SessionStore store;
  private LiveServer live;
  private String bearer;

  @BeforeEach
  void start() {
    store = Stores.open(url());
    live =
        new LiveServer(
            store,
            settings -> settings.model(new ScriptedModel(), "tiny").turns(ServerProgram.TURNS));
    bearer = "Bearer " + live.token("ann");
  }

  private String url() {
    return "sqlite:" + folder.resolve("k.db");
  }

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private Map<String, String> send(String method, String path, String body) {
    HttpResponse<String> answer = live.send(method, path, body, "Authorization", bearer);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Json.fields(answer.body());
  }

  private static String text(Map<String, String> fields, String name) {
    return Objects.requireNonNull(Json.string(fields.get(name)), name);
  }

  /** As if the server had been killed between its promise and its deed. */
  @Test
  void aTurnThatWasAnsweredIsWrittenByWhoeverFindsIt() {
    FaultyStore faulty = new FaultyStore(store);
    try (LiveServer broken =
        new LiveServer(faulty, settings -> settings.model(new ScriptedModel(), "tiny"))) {
      String conversation = text(send("POST", "/v1/conversations", "{}"), "id");
      faulty.failBefore(call -> call.name().equals("apply"));
      String id;
      try (EventReader reader =
          broken.events(
              "POST",
              "/v1/responses",
              "{\"model\":\"tiny\",\"input\":\"a\",\"stream\":true,\"conversation\":\""
                  + conversation
                  + "\"}",
              "Authorization",
              bearer)) {
        id = text(Json.fields(reader.until("response.created").fields().get("response")), "id");
        reader.until("error");
        assertThat(reader.rest()).isNotEmpty();
      }
      SessionKey key = new SessionKey("ann", conversation);
      assertThat(store.session(key).getItems()).isEmpty();
      for (int i = 0; i < 2; i++) {
        assertThat(text(send("GET", "/v1/responses/" + id, ""), "status")).isEqualTo("completed");
        assertThat(store.session(key).getItems())
            .extracting(item -> ((View.Message) item.view()).text())
            .containsExactly("a", "echo a");
      }
      assertThat(send("GET", "/v1/responses/" + id + "/input_items", "").get("data"))
          .contains("\"a\"");
    }
  }
}
