package dev.clew.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.View;
import dev.clew.internal.Json;
import dev.clew.tck.FaultyStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is killed in the middle of a turn leaves neither half a turn nor a riddle. */
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

  private Process child() throws IOException {
    Path libraries = Files.createDirectories(folder.resolve("native"));
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx256m",
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + libraries,
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "-cp",
            System.getProperty("java.class.path"),
            ServerProgram.class.getName(),
            url())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private EventReader ask(String server, String body) throws Exception {
    return new EventReader(
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(server + "/v1/responses"))
                    .header("Authorization", bearer)
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build(),
                HttpResponse.BodyHandlers.ofInputStream()),
        live.documented().answered("POST", "/v1/responses")::checkEvent);
  }

  private Map<String, String> send(String method, String path, String body) {
    HttpResponse<String> answer = live.send(method, path, body, "Authorization", bearer);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Json.fields(answer.body());
  }

  private static String text(Map<String, String> fields, String name) {
    return Objects.requireNonNull(Json.string(fields.get(name)), name);
  }

  @Test
  void aKilledServerLeavesNoHalfTurn_andItsResponseFailed() throws Exception {
    String conversation = text(send("POST", "/v1/conversations", "{}"), "id");
    Process child = child();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
      String server = Eventually.value(CompletableFuture.supplyAsync(() -> line(lines)));
      String id;
      try (EventReader reader =
          ask(
              server,
              "{\"model\":\"tiny\",\"input\":\"a\",\"stream\":true,\"conversation\":\""
                  + conversation
                  + "\"}")) {
        id = text(Json.fields(reader.until("response.created").fields().get("response")), "id");
        reader.until("response.output_text.delta");
        // Another server follows it while it runs, and learns its end.
        try (EventReader there =
            live.events(
                "GET", "/v1/responses/" + id + "?stream=true", "", "Authorization", bearer)) {
          assertThat(there.until("response.output_text.delta").data()).contains("Half");
          child.toHandle().destroyForcibly();
          List<EventReader.Event> end = there.rest();
          assertThat(end)
              .extracting(EventReader.Event::name)
              .containsExactly("response.failed", "");
          assertThat(end.get(0).data())
              .contains("\"code\":\"server_error\"")
              .contains("The server stopped");
          assertThat(end.get(0).number()).isEqualTo(5);
        }
      }
      assertThat(text(send("GET", "/v1/responses/" + id, ""), "status")).isEqualTo("failed");
      SessionKey key = new SessionKey("ann", conversation);
      assertThat(store.session(key).getItems()).isEmpty();
      send(
          "POST",
          "/v1/responses",
          "{\"model\":\"tiny\",\"input\":\"b\",\"conversation\":\"" + conversation + "\"}");
      assertThat(store.session(key).getItems())
          .extracting(item -> ((View.Message) item.view()).text())
          .containsExactly("b", "echo b");
    } finally {
      child.destroyForcibly();
    }
  }

  private static String line(BufferedReader lines) {
    try {
      return Objects.requireNonNull(lines.readLine(), "the server did not start");
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
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
