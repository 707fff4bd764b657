package dev.clew.server.internal.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.json.Json;
import dev.clew.memory.MemoryStore;
import dev.clew.server.Caller;
import dev.clew.server.Caller.Answer;
import dev.clew.server.ChatServers;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.operate.ServerRecords;
import dev.clew.server.settings.McpSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An approval allows one call, whoever sends it again. The MCP server is one of Clew. */
class ApprovedOnceTest {
  private static final SessionKey DIARY = new SessionKey("ann", "diary");
  private static final String KEY = "Idempotency-Key";

  @TempDir Path folder;
  private final MemoryStore notes = MemoryStore.builder().build();
  private final LiveServer there = new LiveServer(notes);
  private final String token = there.token("ann");
  private final String url = there.server().url() + "/mcp";
  private final ScriptedModel model = new ScriptedModel();
  private ChatServers servers;
  private Caller one;
  private Caller two;

  @BeforeEach
  void start() {
    notes.session(DIARY).addItems(List.of(Item.user("begun")));
    servers = new ChatServers(folder);
    one = new Caller(serve(), "bob");
    two = new Caller(serve(), "bob");
  }

  private LiveServer serve() {
    return servers.serve(model, settings -> settings.mcp(McpSettings.NONE.allowPrivate(url)));
  }

  @AfterEach
  void stop() {
    servers.close();
    there.close();
    notes.close();
  }

  /** How often the tool was called. */
  private int calls() {
    return notes.session(DIARY).getItems().size() - 1;
  }

  private String request(String input, String more, String tools) {
    return "{\"model\":\"m\",\"input\":"
        + input
        + ",\"tools\":[{\"type\":\"mcp\",\"server_label\":\"notes\",\"server_url\":\""
        + url
        + "\",\"authorization\":\""
        + token
        + "\""
        + tools
        + "}]"
        + more
        + "}";
  }

  /** A response that ends with a request for an approval. */
  private Answer asked(String more) {
    model.calls(
        "c1",
        "notes__append_message",
        "{\"session_id\":\"diary\",\"role\":\"user\",\"text\":\"paid\"}");
    return one.post("/v1/responses", request("\"pay\"", more, "")).is(200);
  }

  private static String idOfRequest(Answer asked) {
    List<String> output = Json.elements(Json.fields(asked.body()).get("output"));
    Map<String, String> last = Json.fields(output.get(output.size() - 1));
    assertThat(last.get("type")).isEqualTo("\"mcp_approval_request\"");
    return Json.string(last.get("id"));
  }

  private String approval(Answer asked, String more) {
    return approval(asked, true, more, "");
  }

  private String approval(Answer asked, boolean approve, String more, String tools) {
    String decision =
        "[{\"type\":\"mcp_approval_response\",\"approval_request_id\":\""
            + idOfRequest(asked)
            + "\",\"approve\":"
            + approve
            + "}]";
    return request(
        decision, ",\"previous_response_id\":\"" + asked.text("id") + "\"" + more, tools);
  }

  private void isUsed(Answer again, String by) {
    again.is(400);
    assertThat(again.body())
        .contains("approval_already_used", "input[0].approval_request_id", "'" + by + "'");
    assertThat(calls()).isEqualTo(1);
  }

  @Test
  void sentAgainItIsRefused_atEveryServerAndAfterARestart() {
    Answer asked = asked("");
    Answer answered = one.post("/v1/responses", approval(asked, "")).is(200);
    String by = answered.text("id");
    assertThat(calls()).isEqualTo(1);
    isUsed(one.post("/v1/responses", approval(asked, "")), by);
    isUsed(one.post("/v1/responses", approval(asked, ",\"stream\":true")), by);
    isUsed(two.post("/v1/responses", approval(asked, "")), by);
    isUsed(new Caller(serve(), "bob").post("/v1/responses", approval(asked, "")), by);
    isUsed(one.post("/v1/responses", approval(asked, ",\"store\":false")), by);
    one.get("/v1/responses/" + by).is(200);
  }

  @Test
  void withTheSameIdempotencyKeyTheFirstAnswerComesAgain() {
    Answer asked = asked("");
    Answer first = one.post("/v1/responses", approval(asked, ""), KEY, "k").is(200);
    Answer again = two.post("/v1/responses", approval(asked, ""), KEY, "k").is(200);
    assertThat(again.text("id")).isEqualTo(first.text("id"));
    assertThat(calls()).isEqualTo(1);
    isUsed(two.post("/v1/responses", approval(asked, ""), KEY, "other"), first.text("id"));
  }

  @Test
  void ofManyAtOnceOneIsUsed() {
    Answer asked = asked("");
    List<CompletableFuture<Answer>> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(one.sendAsync("POST", "/v1/responses", approval(asked, "")));
      all.add(two.sendAsync("POST", "/v1/responses", approval(asked, "")));
    }
    assertThat(all.stream().map(Caller::join).map(Answer::status))
        .containsOnlyOnce(200)
        .containsOnly(200, 400);
    assertThat(calls()).isEqualTo(1);
  }

  @Test
  void itIsUsedAlsoIfTheResponseFailsAfterTheCall() {
    Answer asked = asked("");
    model.fails();
    one.post("/v1/responses", approval(asked, "")).is(502);
    assertThat(calls()).isEqualTo(1);
    assertThat(one.post("/v1/responses", approval(asked, "")).is(400).body())
        .contains("approval_already_used");
    assertThat(calls()).isEqualTo(1);
  }

  @Test
  void itIsUsedOnceAlsoByAClientThatSendsTheWholeContext() {
    String context =
        "[{\"role\":\"user\",\"content\":\"pay\"},{\"type\":\"mcp_approval_request\","
            + "\"id\":\"mcpr_1\",\"server_label\":\"notes\",\"name\":\"append_message\","
            + "\"arguments\":\"{\\\"session_id\\\":\\\"diary\\\",\\\"role\\\":\\\"user\\\","
            + "\\\"text\\\":\\\"paid\\\"}\"},{\"type\":\"mcp_approval_response\","
            + "\"approval_request_id\":\"mcpr_1\",\"approve\":true}]";
    String stateless = request(context, ",\"store\":false", "");
    one.post("/v1/responses", stateless).is(200);
    assertThat(two.post("/v1/responses", stateless).is(400).body())
        .contains("input[2].approval_request_id");
    assertThat(calls()).isEqualTo(1);
  }

  @Test
  void itIsNotUsedByAResponseThatMakesNoCall() {
    Answer asked = asked("");
    String others = ",\"allowed_tools\":[\"list_conversations\"]";
    one.post("/v1/responses", approval(asked, true, "", others)).is(400);
    one.post("/v1/responses", approval(asked, false, "", "")).is(200);
    assertThat(calls()).isZero();
    one.post("/v1/responses", approval(asked, "")).is(200);
    assertThat(calls()).isEqualTo(1);
  }

  @Test
  void theResponseBeforeCanStillBeFollowed_andTheModelAsksAgain() {
    Answer asked = asked("");
    one.post("/v1/responses", approval(asked, "")).is(200);
    Answer denied = one.post("/v1/responses", approval(asked, false, "", "")).is(200);
    Answer second = asked(",\"previous_response_id\":\"" + denied.text("id") + "\"");
    one.post("/v1/responses", approval(second, "")).is(200);
    assertThat(calls()).isEqualTo(2);
  }

  @Test
  void itsMarkIsErasedWithTheSession() {
    Answer asked = asked("");
    one.post("/v1/responses", approval(asked, "")).is(200);
    List<String> names = new ArrayList<>();
    SessionKey key = new SessionKey("bob", asked.text("id"));
    new ServerRecords().each(servers.store.documents(), key, (owner, name) -> names.add(name));
    assertThat(names).filteredOn(name -> name.startsWith("approved/")).hasSize(1);
  }
}
