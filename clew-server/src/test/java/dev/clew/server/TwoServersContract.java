package dev.clew.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.json.Json;
import dev.clew.server.Caller.Event;
import dev.clew.server.Caller.Events;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two servers on one store behave as one. Each has a connection of its own to the store, as in two
 * processes; where one is killed it is a process.
 */
abstract class TwoServersContract {
  private static final String EVENTS = "/api/sessions/s/events";

  @TempDir Path folder;
  private final ScriptedModel model = new ScriptedModel();
  private final ScriptedModel otherModel = new ScriptedModel();
  private String url;
  private ChatServers servers;
  private LiveServer one;
  private LiveServer two;
  private Caller here;
  private Caller there;

  /** The URL of an empty store. */
  abstract String store();

  @BeforeEach
  void start() {
    url = store();
    servers = new ChatServers(url);
    one = servers.serve(model, settings -> settings.turns(ServerProgram.TURNS));
    two = servers.serve(otherModel, settings -> settings.turns(ServerProgram.TURNS));
    here = new Caller(one, "ann");
    there = new Caller(two, "ann");
  }

  @AfterEach
  void stop() {
    servers.close();
  }

  private static String approval(String call) {
    return "{\"call_id\":\"" + call + "\",\"approve\":true}";
  }

  private static String text(Map<String, String> fields, String name) {
    return Objects.requireNonNull(Json.string(fields.get(name)), name);
  }

  private String conversation() {
    return here.post("/v1/conversations", "{}").is(200).text("id");
  }

  private static String response(String input, String more) {
    return "{\"model\":\"m\",\"input\":\"" + input + "\"" + more + "}";
  }

  private static String in(String conversation) {
    return ",\"conversation\":\"" + conversation + "\"";
  }

  private EventReader follow(LiveServer server, String id, int after) {
    return server.events(
        "GET",
        "/v1/responses/" + id + "?stream=true&starting_after=" + after,
        "",
        "Authorization",
        here.bearer());
  }

  @Test
  void aTurnAtOneServerKeepsTheOtherWaiting_inBothApis() {
    String id = conversation();
    ScriptedModel.Held held = model.thenHold("slow", "ly");
    var first = here.sendAsync("POST", "/v1/responses", response("a", in(id)));
    Eventually.open("the first turn runs", held.begun);
    var second = there.sendAsync("POST", "/v1/responses", response("b", in(id)));
    var third = there.sendAsync("POST", "/api/chat", Caller.message(id, "c"));
    assertThat(servers.items(id)).isEmpty();
    held.release();
    Caller.join(first).is(200);
    Caller.join(second).is(200);
    Caller.join(third).is(200);
    List<String> said = servers.texts(id);
    assertThat(said.subList(0, 2)).containsExactly("a", "slowly");
    assertThat(said.get(3)).isEqualTo("echo " + said.get(2));
    assertThat(said.get(5)).isEqualTo("echo " + said.get(4));
    assertThat(said).hasSize(6).contains("b", "c");
  }

  @Test
  void aReaderAtTheOtherServerHearsChangesAndTurns_andComesBackThere() {
    servers.session("s").update(SessionUpdate.none());
    ScriptedModel.Held held = model.thenHold("one ", "two");
    String last;
    try (Events events = there.stream("GET", EVENTS, "");
        Events said = here.chatStream("s", "count")) {
      said.until("delta");
      Event appended = events.until("appended");
      last = appended.id();
      assertThat(appended.data()).contains("count");
      assertThat(events.until("delta").json()).containsEntry("text", "one ");
      held.release();
      said.until("done");
      List<String> names = new ArrayList<>();
      while (!names.containsAll(List.of("turn", "appended"))) { // they come by two ways
        names.add(events.next().name());
      }
      assertThat(names).contains("delta", "step", "appended");
    }
    there.say("s", "again").is(200);
    try (Events back = here.stream("GET", EVENTS, "", "Last-Event-ID", last)) {
      StringBuilder heard = new StringBuilder();
      while (!heard.toString().contains("echo again")) {
        heard.append(back.until("appended").data());
      }
      assertThat(heard.toString()).contains("one two", "again").doesNotContain("count");
    }
  }

  @Test
  void aRunningResponseIsFollowedAtBoth_fromAnyPlace() {
    ScriptedModel.Held held = model.thenHold("slow", "ly");
    String id =
        here.post("/v1/responses", response("a", ",\"background\":true")).is(200).text("id");
    Eventually.open("it runs", held.begun);
    try (EventReader near = follow(one, id, -1);
        EventReader far = follow(two, id, 3)) {
      assertThat(near.until("response.output_text.delta").number()).isEqualTo(5);
      assertThat(far.next().orElseThrow().number()).isEqualTo(4);
      assertThat(far.until("response.output_text.delta").number()).isEqualTo(5);
      held.release();
      List<EventReader.Event> rest = near.rest();
      assertThat(far.rest()).isEqualTo(rest);
      assertThat(rest.get(0).number()).isEqualTo(6);
      assertThat(rest.get(rest.size() - 1).data()).isEqualTo("[DONE]");
    }
    try (EventReader late = follow(two, id, 5)) {
      assertThat(late.rest().get(0).number()).isEqualTo(6);
    }
  }

  @Test
  void aTurnIsStoppedFromTheOtherServer() {
    model.thenHold("one ", "two");
    try (Events events = here.chatStream("s", "count")) {
      events.until("delta");
      assertThat(there.post("/api/sessions/s/stop", "").is(200).json())
          .containsEntry("stopping", true);
      assertThat(events.until("done").json())
          .containsEntry("stopped", true)
          .containsEntry("message", "one ");
    }
    assertThat(servers.items("s").get(1).json()).contains("\"incomplete\"");
    there.say("s", "again").is(200);
  }

  @Test
  void aDecisionIsTakenAtTheOtherServer_afterTheFirstWasClosed() {
    model.thenItems(Item.functionCall("c1", "send_mail", "{\"to\":\"bob\"}"));
    assertThat(here.say("s", "mail bob").is(200).json()).containsKey("approvals");
    one.close();
    otherModel.thenText("Sent.");
    assertThat(there.get("/api/sessions/s/approvals").data()).hasSize(1);
    assertThat(there.post("/api/sessions/s/approvals", approval("c1")).is(200).json())
        .containsEntry("message", "Sent.");
    assertThat(servers.sent).containsExactly("bob");
    assertThat(servers.items("s")).hasSize(4);
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
            url)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static String line(BufferedReader lines) {
    try {
      return Objects.requireNonNull(lines.readLine(), "the server did not start");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aServerThatIsKilledLeavesNoHalfTurn_itsResponseFailed_andWhatWaitsToTheOther()
      throws Exception {
    String conversation = conversation();
    SessionKey key = new SessionKey("ann", conversation);
    Process child = child();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
      String server = Eventually.value(CompletableFuture.supplyAsync(() -> line(lines)));
      Caller doomed = here.at(server);
      assertThat(doomed.say("s", "mail bob").is(200).json()).containsKey("approvals");
      String id;
      try (Events reader =
          doomed.stream(
              "POST", "/v1/responses", response("a", ",\"stream\":true" + in(conversation)))) {
        id =
            text(
                Json.fields(Json.fields(reader.until("response.created").data()).get("response")),
                "id");
        reader.until("response.output_text.delta");
        // Another server follows it while it runs, and learns its end.
        try (EventReader far = follow(two, id, -1)) {
          assertThat(far.until("response.output_text.delta").data()).contains("Half");
          child.toHandle().destroyForcibly();
          List<EventReader.Event> end = far.rest();
          assertThat(end)
              .extracting(EventReader.Event::name)
              .containsExactly("response.failed", "");
          assertThat(end.get(0).data())
              .contains("\"code\":\"server_error\"")
              .contains("The server stopped");
          assertThat(end.get(0).number()).isEqualTo(5);
        }
      }
      assertThat(there.get("/v1/responses/" + id).is(200).text("status")).isEqualTo("failed");
      assertThat(servers.store.session(key).getItems()).isEmpty();
      there.post("/v1/responses", response("b", in(conversation))).is(200);
      assertThat(servers.texts(conversation)).containsExactly("b", "echo b");
      otherModel.thenText("Sent.");
      assertThat(there.post("/api/sessions/s/approvals", approval("c1")).is(200).json())
          .containsEntry("message", "Sent.");
      assertThat(servers.sent).containsExactly("bob");
    } finally {
      child.destroyForcibly();
    }
  }

  /** As an answer of one server that the other must not give again. */
  @Test
  void aRequestThatIsSentAgainToTheOtherServerIsAnsweredOnce() {
    HttpResponse<String> first =
        here.post("/v1/responses", response("a", ""), "Idempotency-Key", "k1").is(200).response();
    assertThat(
            there.post("/v1/responses", response("a", ""), "Idempotency-Key", "k1").is(200).body())
        .isEqualTo(first.body());
    here.say("s", "hello", "Idempotency-Key", "k2").is(200);
    there.say("s", "hello", "Idempotency-Key", "k2").is(200);
    assertThat(servers.texts("s")).containsExactly("hello", "echo hello");
    assertThat(otherModel.requests()).isEmpty();
  }
}
