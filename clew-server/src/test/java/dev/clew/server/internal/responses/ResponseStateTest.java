package dev.clew.server.internal.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.View;
import dev.clew.json.Json;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.settings.TurnSettings;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a response follows, and what stays of it. Two servers over one store behave as one. */
class ResponseStateTest {
  @TempDir Path folder;
  private final ScriptedModel model = new ScriptedModel();
  private SessionStore store;
  private LiveServer one;
  private LiveServer two;
  private String bearer;

  @BeforeEach
  void start() {
    store = Stores.open("sqlite:" + folder.resolve("s.db"));
    one = server();
    two = server();
    bearer = "Bearer " + one.token("ann");
  }

  private LiveServer server() {
    return new LiveServer(
        store,
        settings ->
            settings
                .model(model, "tiny")
                .turns(TurnSettings.DEFAULT.lockWait(Duration.ofMillis(50))));
  }

  @AfterEach
  void stop() {
    one.close();
    two.close();
    store.close();
  }

  private HttpResponse<String> post(LiveServer server, String path, String body, String... more) {
    String[] headers = new String[more.length + 2];
    headers[0] = "Authorization";
    headers[1] = bearer;
    System.arraycopy(more, 0, headers, 2, more.length);
    return server.send("POST", path, body, headers);
  }

  private Map<String, String> create(String text, String more) {
    HttpResponse<String> answer =
        post(one, "/v1/responses", "{\"model\":\"tiny\",\"input\":\"" + text + "\"" + more + "}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Json.fields(answer.body());
  }

  private static String id(Map<String, String> response) {
    return Objects.requireNonNull(Json.string(response.get("id")));
  }

  private static String behind(Map<String, String> response) {
    return ",\"previous_response_id\":\"" + id(response) + "\"";
  }

  private String conversation() {
    return id(Json.fields(post(one, "/v1/conversations", "{}").body()));
  }

  private static String in(String conversation) {
    return ",\"conversation\":\"" + conversation + "\"";
  }

  private List<String> texts(String session) {
    return store.session(new SessionKey("ann", session)).getItems().stream()
        .map(ResponseStateTest::text)
        .toList();
  }

  private static String text(Item item) {
    return item.view() instanceof View.Message message ? message.text() : item.type();
  }

  private List<SessionInfo> sessions() {
    return store.list(SessionQuery.of("ann")).sessions();
  }

  @Test
  void aTurnInAConversationIsWrittenWhole_andNextTimeShown() {
    String id = conversation();
    Map<String, String> first = create("a", in(id));
    assertThat(first).containsEntry("conversation", "{\"id\":\"" + id + "\"}");
    create("b", ",\"conversation\":{\"id\":\"" + id + "\"},\"instructions\":\"Be brief.\"");
    assertThat(texts(id)).containsExactly("a", "echo a", "b", "echo b");
    assertThat(model.lastShown()).containsExactly("a", "echo a", "b");
    assertThat(sessions()).hasSize(1);
    assertThat(sessions().get(0).timeToLive()).isEmpty();
  }

  @Test
  void whatTheItemsApiChangesIsWhatTheModelSees() {
    String id = conversation();
    create("a", in(id));
    post(
        one,
        "/v1/conversations/" + id + "/items",
        "{\"items\":[{\"role\":\"user\",\"content\":\"by hand\"}]}");
    String list =
        one.send("GET", "/v1/conversations/" + id + "/items?order=asc", "", "Authorization", bearer)
            .body();
    String firstItem = Objects.requireNonNull(Json.string(Json.fields(list).get("first_id")));
    one.send(
        "DELETE", "/v1/conversations/" + id + "/items/" + firstItem, "", "Authorization", bearer);
    create("b", in(id));
    assertThat(model.lastShown()).containsExactly("echo a", "by hand", "b");
  }

  @Test
  void aChainIsOneSession_thatLivesAsLongAsResponsesDo() {
    Map<String, String> first = create("a", "");
    Map<String, String> second = create("b", behind(first));
    create("c", behind(second) + ",\"instructions\":\"Only now.\"");
    assertThat(model.lastShown()).containsExactly("a", "echo a", "b", "echo b", "c");
    assertThat(sessions()).hasSize(1);
    assertThat(sessions().get(0).key().id()).isEqualTo(id(first));
    assertThat(sessions().get(0).timeToLive()).contains(Duration.ofDays(30));
    assertThat(second)
        .containsEntry("previous_response_id", "\"" + id(first) + "\"")
        .containsEntry("conversation", "null");
  }

  @Test
  void aResponseThatIsFollowedTwiceBranches() {
    Map<String, String> first = create("a", "");
    Map<String, String> left = create("left", behind(first));
    Map<String, String> right = create("right", behind(first));
    create("left again", behind(left));
    assertThat(model.lastShown()).containsExactly("a", "echo a", "left", "echo left", "left again");
    create("right again", behind(right));
    assertThat(model.lastShown())
        .containsExactly("a", "echo a", "right", "echo right", "right again");
    assertThat(sessions()).hasSize(2).allMatch(info -> info.timeToLive().isPresent());
  }

  @Test
  void aResponseOfAConversationIsFollowedBesideIt() {
    String id = conversation();
    Map<String, String> inside = create("a", in(id));
    Map<String, String> beside = create("b", behind(inside));
    assertThat(texts(id)).containsExactly("a", "echo a");
    assertThat(texts(id(beside))).containsExactly("a", "echo a", "b", "echo b");
    assertThat(beside).containsEntry("conversation", "null");
  }

  @Test
  void whatIsNotStoredLeavesNoTrace_exceptInAConversation() {
    Map<String, String> gone = create("a", ",\"store\":false");
    assertThat(sessions()).isEmpty();
    assertThat(store.documents().list("ann", "", java.util.Optional.empty(), 10))
        .allMatch(record -> record.name().startsWith("usage/")); // how much, not what
    assertThat(get(one, id(gone)).statusCode()).isEqualTo(404);
    assertThat(
            post(one, "/v1/responses", "{\"model\":\"m\",\"input\":\"x\"" + behind(gone) + "}")
                .body())
        .contains("previous_response_not_found");
    Map<String, String> stored = create("b", "");
    create("c", behind(stored) + ",\"store\":false");
    assertThat(model.lastShown()).containsExactly("b", "echo b", "c");
    assertThat(texts(id(stored))).containsExactly("b", "echo b");
    String conversation = conversation();
    Map<String, String> unkept = create("d", in(conversation) + ",\"store\":false");
    assertThat(texts(conversation)).containsExactly("d", "echo d");
    assertThat(get(one, id(unkept)).statusCode()).isEqualTo(404);
  }

  private HttpResponse<String> get(LiveServer server, String id) {
    return server.send("GET", "/v1/responses/" + id, "", "Authorization", bearer);
  }

  @Test
  void anotherTurnWaitsAndIsThenRefused_atWhicheverServer() {
    String id = conversation();
    ScriptedModel.Held held = model.thenHold("slow", "ly");
    CompletableFuture<Map<String, String>> first =
        CompletableFuture.supplyAsync(() -> create("a", in(id)));
    Eventually.open("the first turn runs", held.begun);
    for (LiveServer server : List.of(one, two)) {
      HttpResponse<String> second =
          post(server, "/v1/responses", "{\"model\":\"m\",\"input\":\"b\"" + in(id) + "}");
      assertThat(second.statusCode()).isEqualTo(400);
      assertThat(second.body())
          .contains("\"code\":\"conversation_locked\"")
          .contains("\"param\":\"conversation\"");
    }
    assertThat(texts(id)).isEmpty();
    held.release();
    Eventually.value(first);
    assertThat(texts(id)).containsExactly("a", "slowly");
    assertThat(
            post(two, "/v1/responses", "{\"model\":\"m\",\"input\":\"b\"" + in(id) + "}")
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void aResponseThatIsBeingFollowedBranchesAtOnce() {
    Map<String, String> first = create("a", "");
    ScriptedModel.Held held = model.thenHold("slow", "ly");
    CompletableFuture<Map<String, String>> slow =
        CompletableFuture.supplyAsync(() -> create("b", behind(first)));
    Eventually.open("the first runs", held.begun);
    Map<String, String> quick = create("c", behind(first));
    assertThat(texts(id(quick))).containsExactly("a", "echo a", "c", "echo c");
    held.release();
    Eventually.value(slow);
    assertThat(texts(id(first))).containsExactly("a", "echo a", "b", "slowly");
  }

  @Test
  void aConversationThatIsDeletedMeanwhileStaysDeleted() {
    String id = conversation();
    ScriptedModel.Held held = model.thenHold("slow", "ly");
    CompletableFuture<HttpResponse<String>> turn =
        CompletableFuture.supplyAsync(
            () -> post(one, "/v1/responses", "{\"model\":\"m\",\"input\":\"a\"" + in(id) + "}"));
    Eventually.open("the turn runs", held.begun);
    one.send("DELETE", "/v1/conversations/" + id, "", "Authorization", bearer);
    held.release();
    assertThat(Eventually.value(turn).statusCode()).isEqualTo(409);
    assertThat(store.session(new SessionKey("ann", id)).info()).isEmpty();
  }

  @Test
  void aRequestThatIsSentAgainIsNotAnsweredAgain() {
    String id = conversation();
    String body = "{\"model\":\"m\",\"input\":\"a\"" + in(id) + "}";
    HttpResponse<String> first = post(one, "/v1/responses", body, "Idempotency-Key", "k1");
    HttpResponse<String> again = post(two, "/v1/responses", body, "Idempotency-Key", "k1");
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(texts(id)).containsExactly("a", "echo a");
    assertThat(
            post(one, "/v1/responses", body.replace("\"a\"", "\"b\""), "Idempotency-Key", "k1")
                .body())
        .contains("idempotency_key_reused");
    String streamed = "{\"model\":\"m\",\"input\":\"s\",\"stream\":true}";
    String once = post(one, "/v1/responses", streamed, "Idempotency-Key", "k2").body();
    assertThat(post(two, "/v1/responses", streamed, "Idempotency-Key", "k2").body())
        .isEqualTo(once);
    String unkept = body.replace("}", ",\"store\":false}");
    assertThat(post(one, "/v1/responses", unkept, "Idempotency-Key", "k3").statusCode())
        .isEqualTo(200);
    assertThat(post(two, "/v1/responses", unkept, "Idempotency-Key", "k3").body())
        .contains("idempotency_key_used"); // the first one may still have it at hand
  }

  @Test
  void aRequestThatFailedMayBeSentAgainWithItsKey() {
    model.thenFail(new dev.clew.ClewException.ModelFailed("no", null, true));
    String body = "{\"model\":\"m\",\"input\":\"a\"}";
    assertThat(post(one, "/v1/responses", body, "Idempotency-Key", "k").statusCode())
        .isEqualTo(502);
    assertThat(post(one, "/v1/responses", body, "Idempotency-Key", "k").statusCode())
        .isEqualTo(200);
  }

  @Test
  void whatWasSentTwiceAtOnceIsAnsweredOnceForBoth() {
    ScriptedModel.Held held = model.thenHold("slow", "ly");
    String body = "{\"model\":\"m\",\"input\":\"a\"}";
    CompletableFuture<HttpResponse<String>> first =
        CompletableFuture.supplyAsync(
            () -> post(one, "/v1/responses", body, "Idempotency-Key", "k"));
    Eventually.open("the first runs", held.begun);
    HttpResponse<String> elsewhere = post(two, "/v1/responses", body, "Idempotency-Key", "k");
    assertThat(elsewhere.statusCode()).isEqualTo(409);
    assertThat(elsewhere.headers().firstValue("Retry-After")).hasValue("1");
    CompletableFuture<HttpResponse<String>> second =
        CompletableFuture.supplyAsync(
            () -> post(one, "/v1/responses", body, "Idempotency-Key", "k"));
    held.release();
    assertThat(Eventually.value(second).body()).isEqualTo(Eventually.value(first).body());
    assertThat(model.requests()).hasSize(1);
  }

  @Test
  void whatIsSentAtTheSameInstantIsAnsweredOnceForAll() throws Exception {
    String body = "{\"model\":\"m\",\"input\":\"a\"}";
    int callers = 4;
    int rounds = 25;
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    try {
      for (int round = 0; round < rounds; round++) {
        String key = "k" + round;
        CyclicBarrier together = new CyclicBarrier(callers);
        List<Future<String>> answers = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
          answers.add(
              threads.submit(
                  () -> {
                    together.await();
                    return post(one, "/v1/responses", body, "Idempotency-Key", key).body();
                  }));
        }
        String first = answers.get(0).get();
        assertThat(first).contains("echo a");
        for (Future<String> answer : answers) {
          assertThat(answer.get()).isEqualTo(first);
        }
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(model.requests()).hasSize(rounds);
  }

  @Test
  void aDeletedResponseLeavesWhatOthersFollow() {
    Map<String, String> first = create("a", "");
    Map<String, String> second = create("b", behind(first));
    one.send("DELETE", "/v1/responses/" + id(first), "", "Authorization", bearer);
    create("c", behind(second));
    assertThat(model.lastShown()).containsExactly("a", "echo a", "b", "echo b", "c");
  }

  @Test
  void aLongContextIsCompactedOnTheWay_andTheStoryStaysWhole() {
    String id = conversation();
    String words = "word ".repeat(1500).strip();
    create(words, in(id));
    model.thenText("They said many words.");
    Map<String, String> compacted =
        create(
            "and now?",
            in(id)
                + ",\"context_management\":[{\"type\":\"compaction\",\"compact_threshold\":1000}]");
    assertThat(model.lastShown())
        .containsExactly(
            "Summary of the conversation so far:\n\nThey said many words.", "and now?");
    List<String> output = Json.elements(compacted.get("output"));
    assertThat(output).hasSize(2);
    assertThat(output.get(0)).contains("\"type\":\"compaction\"").contains("clew1.");
    assertThat(texts(id))
        .containsExactly(words, "echo " + words, "and now?", "compaction", "echo and now?");
    create("go on", in(id));
    assertThat(model.lastShown())
        .containsExactly(
            "and now?",
            "Summary of the conversation so far:\n\nThey said many words.",
            "echo and now?",
            "go on");
  }

  @Test
  void imagesSchemasAndReasoningGoToTheModelAsTheyCame() {
    String image =
        "{\"role\":\"user\",\"content\":[{\"type\":\"input_image\",\"image_url\":\"data:x\","
            + "\"detail\":\"low\"}]}";
    HttpResponse<String> answer =
        post(
            one,
            "/v1/responses",
            "{\"model\":\"m\",\"input\":["
                + image
                + "],\"reasoning\":{\"effort\":\"high\"},\"tool_choice\":{\"type\":\"function\","
                + "\"name\":\"f\"},\"tools\":[{\"type\":\"web_search\"},{\"type\":\"function\","
                + "\"name\":\"f\"}],\"text\":{\"verbosity\":\"low\",\"format\":{\"type\":"
                + "\"json_schema\",\"name\":\"n\",\"strict\":true,\"schema\":{\"type\":\"object\"}}}}");
    assertThat(answer.statusCode()).isEqualTo(200);
    var asked = model.lastRequest();
    assertThat(asked.input()).extracting(Item::json).containsExactly(image);
    assertThat(asked.outputSchema().orElseThrow().schema()).isEqualTo("{\"type\":\"object\"}");
    assertThat(asked.settings().get("reasoning")).contains(Map.of("effort", "high"));
    assertThat(asked.settings().get("tool_choice")).contains("f");
    assertThat(asked.settings().get("tools")).contains(List.of(Map.of("type", "web_search")));
    assertThat(asked.settings().get("text")).contains(Map.of("verbosity", "low"));
    assertThat(asked.tools()).hasSize(1);
    assertThat(Json.fields(answer.body()).get("text")).contains("\"json_schema\"");
  }
}
