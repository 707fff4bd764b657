package dev.clew.server.internal.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.json.Json;
import dev.clew.server.EventReader;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.settings.TurnSettings;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Responses that nobody waits for, and readers that come back, at another server too. */
class BackgroundTest {
  @TempDir Path folder;
  private final ScriptedModel model = new ScriptedModel();
  private SessionStore store;
  private LiveServer one;
  private LiveServer two;
  private String bearer;

  @BeforeEach
  void start() {
    store = Stores.open("sqlite:" + folder.resolve("b.db"));
    TurnSettings hasty = TurnSettings.DEFAULT.stopWait(Duration.ofSeconds(2));
    one = new LiveServer(store, settings -> settings.model(model, "tiny").turns(hasty));
    two = new LiveServer(store, settings -> settings.model(model, "tiny"));
    bearer = "Bearer " + one.token("ann");
  }

  @AfterEach
  void stop() {
    one.close();
    two.close();
    store.close();
  }

  private Map<String, String> send(LiveServer server, String method, String path, String body) {
    HttpResponse<String> answer = server.send(method, path, body, "Authorization", bearer);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Json.fields(answer.body());
  }

  private String begin(String more) {
    Map<String, String> begun =
        send(
            one,
            "POST",
            "/v1/responses",
            "{\"model\":\"tiny\",\"input\":\"hi\",\"background\":true" + more + "}");
    assertThat(begun).containsEntry("status", "\"queued\"").containsEntry("background", "true");
    return Objects.requireNonNull(Json.string(begun.get("id")));
  }

  private String status(LiveServer server, String id) {
    return Objects.requireNonNull(
        Json.string(send(server, "GET", "/v1/responses/" + id, "").get("status")));
  }

  private EventReader follow(LiveServer server, String id, int after) {
    return server.events(
        "GET",
        "/v1/responses/" + id + "?stream=true&starting_after=" + after,
        "",
        "Authorization",
        bearer);
  }

  private EventReader stream(String more) {
    return one.events(
        "POST",
        "/v1/responses",
        "{\"model\":\"tiny\",\"input\":\"hi\",\"stream\":true" + more + "}",
        "Authorization",
        bearer);
  }

  private static String idIn(EventReader.Event created) {
    return Objects.requireNonNull(
        Json.string(Json.fields(created.fields().get("response")).get("id")));
  }

  @Test
  void aBackgroundResponseIsFinishedWhileNobodyWaits() {
    ScriptedModel.Held held = model.thenHold("slow", "ly");
    String id = begin("");
    Eventually.open("it runs", held.begun);
    assertThat(status(one, id)).isEqualTo("in_progress");
    assertThat(status(two, id)).isEqualTo("in_progress");
    assertThat(send(two, "GET", "/v1/responses/" + id + "/input_items", "").get("data"))
        .contains("\"hi\"");
    held.release();
    Eventually.ask("it ends", () -> status(two, id), "completed"::equals);
    assertThat(send(two, "GET", "/v1/responses/" + id + "/input_items", "").get("data"))
        .contains("\"hi\"");
    try (EventReader reader = follow(two, id, -1)) {
      assertThat(reader.rest())
          .extracting(event -> event.name().replace("response.", ""))
          .startsWith("created", "queued", "in_progress", "output_item.added")
          .endsWith("output_item.done", "completed", "");
    }
  }

  @Test
  void aStreamWhoseReaderVanishesGoesOnIfItIsStored() {
    ScriptedModel.Held held = model.thenHold("slow", "ly");
    String id;
    try (EventReader reader = stream("")) {
      id = idIn(reader.until("response.created"));
      reader.until("response.output_text.delta");
    }
    held.release();
    Eventually.ask("it ends", () -> status(two, id), "completed"::equals);
    try (EventReader back = follow(one, id, 4)) {
      assertThat(back.rest().get(0).number()).isEqualTo(5);
    }
  }

  @Test
  void aStreamWhoseReaderVanishesEndsIfItIsNotStored() {
    String conversation =
        Objects.requireNonNull(Json.string(send(one, "POST", "/v1/conversations", "{}").get("id")));
    ScriptedModel.Held held = model.thenHold("slow", "x".repeat(4 << 20));
    try (EventReader reader =
        stream(",\"store\":false,\"conversation\":\"" + conversation + "\"")) {
      reader.until("response.output_text.delta");
    }
    held.release(); // what it says now finds nobody
    SessionKey key = new SessionKey("ann", conversation);
    Eventually.ask(
        "the turn is over", () -> store.leases().holder(key, "turn"), java.util.Optional::isEmpty);
  }

  @Test
  void cancellingEndsARun_atWhicheverServer_andWritesNothing() {
    for (LiveServer server : List.of(one, two)) {
      ScriptedModel.Held held = model.thenHold("slow", "ly");
      String id = begin("");
      Eventually.open("it runs", held.begun);
      assertThat(send(server, "POST", "/v1/responses/" + id + "/cancel", ""))
          .containsEntry("status", "\"cancelled\"");
      SessionKey key = new SessionKey("ann", id);
      Eventually.ask(
          "the run ends", () -> store.leases().holder(key, "turn"), java.util.Optional::isEmpty);
      assertThat(status(two, id)).isEqualTo("cancelled");
      assertThat(store.session(key).info()).isEmpty();
      assertThat(send(one, "POST", "/v1/responses/" + id + "/cancel", ""))
          .containsEntry("status", "\"cancelled\"");
      try (EventReader reader = follow(server, id, -1)) {
        EventReader.Event last = reader.until("response.failed");
        assertThat(last.data()).contains("\"status\":\"cancelled\"");
      }
    }
  }

  @Test
  void onlyBackgroundResponsesCanBeCancelled_andOnlyThoseWithEventsStreamed() {
    String id =
        Objects.requireNonNull(
            Json.string(
                send(one, "POST", "/v1/responses", "{\"model\":\"m\",\"input\":\"x\"}").get("id")));
    assertThat(
            one.send("POST", "/v1/responses/" + id + "/cancel", "", "Authorization", bearer)
                .statusCode())
        .isEqualTo(400);
    assertThat(
            one.send("GET", "/v1/responses/" + id + "?stream=true", "", "Authorization", bearer)
                .statusCode())
        .isEqualTo(400);
  }

  @Test
  void aServerThatStopsEndsWhatTakesTooLong_andSaysSo() {
    model.thenHold("slow", "ly");
    String id = begin("");
    ScriptedModel.Held held = model.thenHold("slow", "ly");
    var waiting =
        CompletableFuture.supplyAsync(
            () ->
                one.send(
                    "POST",
                    "/v1/responses",
                    "{\"model\":\"m\",\"input\":\"x\"}",
                    "Authorization",
                    bearer));
    Eventually.open("both run", held.begun);
    one.close();
    assertThat(Eventually.value(waiting).statusCode()).isEqualTo(503);
    assertThat(Eventually.value(waiting).body()).contains("server_stopped");
    assertThat(status(two, id)).isEqualTo("failed");
  }

  @Test
  void aServerThatStopsFinishesWhatItCan() {
    ScriptedModel.Held held = model.thenHold("slow", "ly");
    String id = begin("");
    Eventually.open("it runs", held.begun);
    var stopping = CompletableFuture.runAsync(one::close);
    held.release();
    Eventually.value(stopping);
    assertThat(status(two, id)).isEqualTo("completed");
  }
}
