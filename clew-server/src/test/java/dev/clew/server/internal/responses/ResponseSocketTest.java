package dev.clew.server.internal.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.agent.ModelEvent;
import dev.clew.json.Json;
import dev.clew.memory.MemoryStore;
import dev.clew.server.Caller;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.SocketClient;
import dev.clew.server.settings.LimitSettings;
import dev.clew.tck.TestClock;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses over a WebSocket: the same as over HTTP, and what only a socket has. */
class ResponseSocketTest {
  private final MemoryStore store = MemoryStore.builder().build();
  private final ScriptedModel model = new ScriptedModel();
  private final TestClock clock = new TestClock(Instant.now());
  private LiveServer live;
  private String bearer;
  private SocketClient socket;

  @BeforeEach
  void start() {
    live = new LiveServer(store, settings -> settings.model(model, "m").clock(clock));
    bearer = "Bearer " + live.token("ann");
    socket = open();
  }

  @AfterEach
  void stop() {
    model.go();
    socket.close();
    live.close();
    store.close();
  }

  private SocketClient open() {
    return SocketClient.open(live, "Authorization", bearer);
  }

  private HttpResponse<String> get(String path) {
    return live.send("GET", path, "", "Authorization", bearer);
  }

  private static String text(Map<String, String> fields, String name) {
    return Objects.requireNonNull(Json.string(fields.get(name)), fields.toString());
  }

  @Test
  void theEventsOfAResponseAreMessages_numberedFromZero_withOneEnd() {
    List<Map<String, String>> all = socket.create("'input':'hi'").until("response.completed");
    List<String> types = all.stream().map(event -> text(event, "type")).toList();
    assertThat(types)
        .containsExactly(
            "response.created",
            "response.in_progress",
            "response.output_item.added",
            "response.content_part.added",
            "response.output_text.delta",
            "response.output_text.delta",
            "response.output_text.done",
            "response.content_part.done",
            "response.output_item.done",
            "response.completed");
    for (int i = 0; i < all.size(); i++) {
      assertThat(all.get(i)).containsEntry("sequence_number", String.valueOf(i));
      assertThat(all.get(i)).doesNotContainKey("stream_id");
    }
    String id = text(Json.fields(all.get(9).get("response")), "id");
    assertThat(get("/v1/responses/" + id).body()).contains("echo hi");
    socket.create("'input':'again','previous_response_id':'" + id + "','stream':true");
    socket.completed();
    assertThat(model.lastShown()).containsExactly("hi", "echo hi", "again");
    assertThat(socket.hasMore()).isFalse();
  }

  @Test
  void anUnstoredResponseIsFollowedOnItsSocket_andNothingOfItIsStored() {
    String one = socket.create("'input':'one','store':false").completedId();
    String two =
        socket
            .create("'input':'two','store':false,'previous_response_id':'" + one + "'")
            .completedId();
    assertThat(model.lastShown()).containsExactly("one", "echo one", "two");
    socket.create("'input':'three','store':false,'previous_response_id':'" + two + "'").completed();
    assertThat(model.lastShown()).containsExactly("one", "echo one", "two", "echo two", "three");
    assertThat(get("/v1/responses/" + two).statusCode()).isEqualTo(404);
    assertThat(get("/api/sessions").body()).contains("\"data\":[]");
    // Only the newest of a lane can be followed.
    socket.create("'input':'x','store':false,'previous_response_id':'" + one + "'");
    socket.error(400, "previous_response_not_found");
  }

  @Test
  void aStoredResponseAfterAnUnstoredOneIsStoredWithItsContext() {
    String one = socket.create("'input':'one','store':false").completedId();
    String two = socket.create("'input':'two','previous_response_id':'" + one + "'").completedId();
    try (SocketClient other = open()) {
      other.create("'input':'three','previous_response_id':'" + two + "'").completed();
      assertThat(model.lastShown()).containsExactly("one", "echo one", "two", "echo two", "three");
    }
  }

  @Test
  void anUnstoredResponseIsUnknownToOtherSockets_whichStayOpen() {
    String one = socket.create("'input':'one','store':false").completedId();
    try (SocketClient other = open()) {
      other.create("'input':'two','store':false,'previous_response_id':'" + one + "'");
      Map<String, Object> error = other.error(400, "previous_response_not_found");
      assertThat(Caller.object(error.get("error")))
          .containsEntry("param", "previous_response_id")
          .containsEntry("type", "invalid_request_error");
      other.create("'input':'two','store':false").completed();
    }
  }

  @Test
  void anotherOwnerCannotFollowAStoredResponse() {
    String one = socket.create("'input':'one'").completedId();
    try (SocketClient bob =
        SocketClient.open(live, "Authorization", "Bearer " + live.token("bob"))) {
      bob.create("'input':'two','previous_response_id':'" + one + "'");
      bob.error(400, "previous_response_not_found");
    }
  }

  @Test
  void aFailedContinuationForgetsTheResponse_butOneInAnotherLaneDoesNot() {
    String one = socket.create("'input':'one','store':false").completedId();
    String unmatched =
        "'store':false,'input':[{'type':'function_call_output','call_id':'c','output':'x'}],"
            + "'previous_response_id':'"
            + one
            + "'";
    Map<String, Object> error =
        socket.create("'stream_id':'fork'," + unmatched).error(400, "invalid_request_error");
    assertThat(error).containsEntry("stream_id", "fork");
    socket
        .create(
            "'stream_id':'fork','store':false,'input':'two','previous_response_id':'" + one + "'")
        .completed();
    socket.create(unmatched).error(400, "invalid_request_error");
    socket.create("'store':false,'input':'x','previous_response_id':'" + one + "'");
    socket.error(400, "previous_response_not_found");
  }

  @Test
  void aModelThatFailsEndsTheResponseOnce_andForgetsTheOneBefore() {
    String one = socket.create("'input':'one','store':false").completedId();
    String next = "'input':'two','store':false,'previous_response_id':'" + one + "'";
    model.fails();
    List<Map<String, String>> all = socket.create(next).until("response.failed");
    assertThat(all).noneMatch(event -> text(event, "type").equals("error"));
    assertThat(all.get(all.size() - 1).get("response")).contains("\"code\":\"server_error\"");
    socket.create(next).error(400, "previous_response_not_found");
    String stored = socket.create("'input':'one'").completedId();
    model.fails();
    socket.create("'input':'x','previous_response_id':'" + stored + "'").until("response.failed");
    socket.create("'input':'x','previous_response_id':'" + stored + "'").completed();
  }

  @Test
  void lanesRunAtTheSameTime_andEachInOrder() {
    ScriptedModel.Held held = model.thenHold("slow", "ly");
    socket.create("'input':'a1','stream_id':'a'");
    Eventually.open("it runs", held.begun);
    socket.create("'input':'a2','stream_id':'a'");
    socket.create("'input':'b1','stream_id':'b.-_9'");
    List<Map<String, String>> first = socket.until("response.completed");
    assertThat(first.get(first.size() - 1)).containsEntry("stream_id", "\"b.-_9\"");
    assertThat(model.requests()).hasSize(2); // a2 waits
    held.release();
    List<Map<String, String>> second = socket.until("response.completed");
    List<Map<String, String>> third = socket.until("response.completed");
    List<Map<String, String>> both = new ArrayList<>(second);
    both.addAll(third);
    assertThat(both).allMatch(event -> "\"a\"".equals(event.get("stream_id")));
    assertThat(second.get(second.size() - 1).get("response")).contains("slowly");
    assertThat(third.get(0)).containsEntry("type", "\"response.created\"");
  }

  @Test
  void withoutLanesResponsesComeOneAfterAnother_andErrorsInTheirPlace() {
    ScriptedModel.Held held = model.thenHold("slow", "ly");
    socket.create("'input':'one'");
    Eventually.open("it runs", held.begun);
    socket.create("'input':'two'").send("nonsense").send("{'type':'who.knows'}");
    held.release();
    assertThat(socket.completed().get("output").toString()).contains("slowly");
    socket.next("response.created");
    assertThat(socket.completed().get("output").toString()).contains("echo two");
    socket.error(400, "invalid_json");
    socket.error(400, "invalid_value");
    assertThat(socket.hasMore()).isFalse();
  }

  @Test
  void aWarmUpAsksNoModel_andCanBeFollowed() {
    for (String stored : List.of("true", "false")) {
      int asked = model.requests().size();
      Map<String, Object> warm =
          socket.create("'input':'context','generate':false,'store':" + stored).completed();
      assertThat(warm).containsEntry("output", List.of());
      assertThat(model.requests()).hasSize(asked);
      socket
          .create(
              "'input':'go','store':" + stored + ",'previous_response_id':'" + warm.get("id") + "'")
          .completed();
      assertThat(model.lastShown()).containsExactly("context", "go");
    }
    String empty = socket.create("'input':[],'generate':false,'store':false").completedId();
    socket.create("'input':'go','store':false,'previous_response_id':'" + empty + "'").completed();
    assertThat(model.lastShown()).containsExactly("go");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{ | invalid_json |",
        "[] | invalid_json |",
        "'text' | invalid_json |",
        "{} | missing_required_parameter | type",
        "{'type':7} | invalid_type | type",
        "{'type':'response.cancel'} | invalid_value | type",
        "{'type':'response.create'} | missing_required_parameter | model",
        "{'type':'response.create','model':'m'} | missing_required_parameter |",
        "{'type':'response.create','model':'m','input':'x','background':true} | unsupported_parameter | background",
        "{'type':'response.create','model':'m','input':'x','generate':'no'} | invalid_type | generate",
        "{'type':'response.create','model':'m','input':'x','stream_id':''} | invalid_stream_id | stream_id",
        "{'type':'response.create','model':'m','input':'x','stream_id':7} | invalid_stream_id | stream_id",
        "{'type':'response.create','model':'m','input':'x','stream_id':'a b'} | invalid_stream_id | stream_id",
        "{'type':'response.create','model':'m','input':'x','conversation':'c'} | invalid_request_error |",
        "{'type':'response.create','model':'m','input':'x','conversation':'c','previous_response_id':'r'} | mutually_exclusive_parameters |",
      })
  void aMessageThatCannotBeAnsweredIsRefused_andTheSocketStaysOpen(
      String message, String code, String param) {
    socket.send(message);
    Map<String, Object> frame = Json.readObject(socket.next());
    Map<String, Object> error = Caller.object(frame.get("error"));
    assertThat(frame).containsEntry("type", "error").containsKeys("status", "request_id");
    assertThat(error)
        .containsEntry("code", code)
        .containsEntry("type", "invalid_request_error")
        .containsEntry("param", param)
        .containsKey("message");
    socket.create("'input':'x'").completed();
  }

  @Test
  void aBinaryMessageIsRefused() {
    socket.sendBinary(
        "{\"type\":\"response.create\"}".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    socket.error(400, "invalid_message");
    socket.create("'input':'x'").completed();
  }

  @Test
  void aRunningResponseIsNotSteered() {
    socket.send("{'type':'response.steer','previous_response_id':'resp_1','input':'x'}");
    Map<String, Object> failed = Json.readObject(socket.next());
    assertThat(failed).containsEntry("type", "response.steer.failed");
    assertThat(Caller.object(failed.get("error"))).containsEntry("code", "steering_not_supported");
    assertThat(Caller.object(failed.get("steer"))).containsEntry("previous_response_id", "resp_1");
  }

  @Test
  void aSocketHasSoManyLanes() {
    for (int i = 0; i < 32; i++) {
      socket.create("'input':'x','store':false,'stream_id':'lane" + i + "'").completed();
    }
    socket.create("'input':'x','stream_id':'one-more'");
    assertThat(socket.error(400, "websocket_stream_limit_reached"))
        .containsEntry("stream_id", "one-more");
    socket.create("'input':'x','stream_id':'lane7'").completed();
    socket.create("'input':'x'").completed();
  }

  @Test
  void afterAnHourNothingNewBegins_whatRunsIsFinished_andTheSocketIsClosed() {
    ScriptedModel.Held held = model.thenHold("slow", "ly");
    socket.create("'input':'one'");
    Eventually.open("it runs", held.begun);
    clock.advance(Duration.ofMinutes(61));
    held.release();
    socket.completed();
    socket.error(400, "websocket_connection_limit_reached");
    assertThat(socket.closedWith()).isEqualTo(1001);
  }

  @Test
  void aMessageMayBeAsLargeAsABodyOfHttp() {
    String picture = "data:image/png;base64," + "A".repeat(5 << 20);
    socket
        .create(
            "'input':[{'role':'user','content':[{'type':'input_image','image_url':'"
                + picture
                + "'}]}]")
        .completed();
    assertThat(model.lastRequest().input().get(0).json()).contains(picture);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aConversationIsShared_oneTurnAtATime(boolean stored) {
    String conversation =
        Objects.requireNonNull(
            Json.string(
                Json.fields(
                        live.send("POST", "/v1/conversations", "{}", "Authorization", bearer)
                            .body())
                    .get("id")));
    String of = "'store':" + stored + ",'conversation':'" + conversation + "'";
    ScriptedModel.Held held = model.thenHold("slow", "ly");
    socket.create("'input':'one','stream_id':'a'," + of);
    Eventually.open("it runs", held.begun);
    socket.create("'input':'two','stream_id':'b'," + of);
    held.release();
    socket.completed();
    socket.completed();
    assertThat(model.lastShown()).containsExactly("one", "slowly", "two");
    assertThat(get("/v1/conversations/" + conversation + "/items").body()).contains("echo two");
  }

  @Test
  void aClientThatVanishesEndsWhatIsNotStored_andTheRestCanBeReadOn() {
    ScriptedModel.Held stored = model.thenHold("slow", "ly");
    socket.create("'input':'kept','stream_id':'a'");
    Eventually.open("it runs", stored.begun);
    String id = text(Json.fields(socket.nextFields().get("response")), "id");
    ScriptedModel.Held lost = model.thenHold("never", "seen");
    socket.create("'input':'lost','store':false,'stream_id':'b'");
    Eventually.open("it runs", lost.begun);
    socket.abort();
    Eventually.ask("the unstored one is over", () -> turnsIn("$Held"), count -> count == 1);
    stored.release();
    Eventually.ask(
        "the stored one is there",
        () -> get("/v1/responses/" + id).body(),
        body -> body.contains("slowly") && body.contains("\"status\":\"completed\""));
    lost.release();
    String rest = get("/v1/responses/" + id + "?stream=true&starting_after=2").body();
    assertThat(rest).contains("response.completed").doesNotContain("response.created");
  }

  /** The turns that are somewhere in this class right now. */
  private static long turnsIn(String place) {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(thread -> thread.getKey().getName().equals("clew-turn"))
        .filter(thread -> List.of(thread.getValue()).toString().contains(place))
        .count();
  }

  @Test
  void aSlowReaderHoldsTheModelBack_andMissesNothing() {
    int pieces = 4000;
    String piece = "0123456789".repeat(1000);
    List<Integer> made = new ArrayList<>();
    model.then(
        (request, listener) -> {
          for (int i = 0; i < pieces; i++) {
            made.add(i);
            listener.accept(new ModelEvent.TextDelta(piece));
          }
          return ScriptedModel.counted(Item.assistant("done"));
        });
    try (SocketClient slow = SocketClient.open(live.server().url(), 5, "Authorization", bearer)) {
      slow.create("'input':'x','store':false");
      Eventually.ask("the model waits", () -> turnsIn(".awaitRoom"), count -> count == 1);
      assertThat(made.size()).isLessThan(pieces / 2);
      slow.reads(Long.MAX_VALUE);
      long deltas =
          slow.until("response.completed").stream()
              .filter(event -> text(event, "type").equals("response.output_text.delta"))
              .count();
      assertThat(deltas).isGreaterThanOrEqualTo(pieces);
    }
  }

  @Test
  void everyMessageCounts_alsoOneThatMeansNothing_andWhoGoesOnHasToConnectAgain() {
    LimitSettings limits = LimitSettings.DEFAULT.requestsPerMinute(20);
    try (LiveServer limited = new LiveServer(store, given -> given.limits(limits));
        SocketClient bob =
            SocketClient.open(limited, "Authorization", "Bearer " + limited.token("bob"))) {
      for (int i = 0; i < 200 && !bob.isClosed(); i++) {
        bob.trySend(i % 2 == 0 ? "{'type':'response.steer'}" : "no JSON");
      }
      assertThat(bob.closedWith()).isIn(1013, 1006); // which it may not hear if it sends meanwhile
      int refused = 0;
      while (bob.hasMore()) {
        refused += bob.next().contains("rate_limit_exceeded") ? 1 : 0;
      }
      assertThat(refused).isBetween(1, 100);
    }
  }
}
