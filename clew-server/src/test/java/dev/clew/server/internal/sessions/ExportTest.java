package dev.clew.server.internal.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.SessionUpdate;
import dev.clew.server.Caller;
import dev.clew.server.Caller.Answer;
import dev.clew.server.ChatServers;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.settings.ChatSettings;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions as files: out of the server, and in again. */
class ExportTest {
  @TempDir Path folder;
  private ChatServers servers;
  private LiveServer live;
  private Caller ann;

  @BeforeEach
  void start() {
    servers = new ChatServers(folder);
    live = servers.serve(new ScriptedModel());
    ann = new Caller(live, "ann");
  }

  @AfterEach
  void stop() {
    servers.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"json", "jsonl"})
  void anExportIsImportedAgainAsItWas(String format) {
    List<Item> items =
        List.of(
            Item.user("你好 <b>"),
            Item.parse("{\"type\":\"new_kind\",\"n\":1e400,\"x\":0.10}"),
            Item.functionCall("c1", "f", "{}"),
            Item.functionCallOutput("c1", "ok"));
    servers.session("s").addItems(items);
    servers.session("s").update(SessionUpdate.none().title("T").tags(Set.of("t")));
    Answer file = ann.get("/api/sessions/s/export?format=" + format).is(200);
    assertThat(file.response().headers().firstValue("content-disposition").orElseThrow())
        .startsWith("attachment; filename=\"s." + format + "\"");
    Answer again = ann.post("/api/sessions/import", file.body()).is(200);
    String id = again.text("session_id");
    assertThat(id).isNotEqualTo("s"); // that one is taken
    assertThat(servers.items(id)).isEqualTo(items);
    Caller bob = new Caller(live, "bob");
    Answer bobs = bob.post("/api/sessions/import?session_id=mine", file.body()).is(200);
    assertThat(bobs.text("session_id")).isEqualTo("mine");
    assertThat(bobs.text("title")).isEqualTo(format.equals("json") ? "T" : "");
    bob.post("/api/sessions/import?session_id=mine", file.body()).refused(409, "session_exists");
    ann.send("DELETE", "/api/sessions/s", "");
    Answer back = ann.post("/api/sessions/import", file.body()).is(200);
    assertThat(back.text("session_id").equals("s")).isEqualTo(format.equals("json"));
  }

  @Test
  void whatIsImportedIsAsOldAsItWas() {
    Instant then = Instant.parse("2021-03-04T05:06:07.089Z");
    List<Draft> drafts =
        List.of(
            Draft.of(Item.user("old")).at(then),
            Draft.of(Item.assistant("and wise")).at(then.plusSeconds(60)));
    servers.session("s").commit(Commit.appendDrafts(drafts));
    String file = ann.get("/api/sessions/s/export?format=json").is(200).body();
    Answer made = new Caller(live, "bob").post("/api/sessions/import", file).is(200);

    assertThat(made.text("created_at")).isEqualTo("2021-03-04T05:06:07.089000Z");
    assertThat(made.text("updated_at")).isEqualTo("2021-03-04T05:07:07.089000Z");
    assertThat(new Caller(live, "bob").get("/api/sessions/s/items").is(200).data())
        .extracting(item -> item.get("at"))
        .containsExactly(made.text("created_at"), made.text("updated_at"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "[7]",
        "[{}",
        "{\"session_id\":\"s\",\"items\":7}",
        "{\"items\":[]} x",
        "{\"session_id\":\"s\",\"items\":[7]}",
        "{\"session_id\":\"s\",\"item_count\":2,\"items\":[{}]}",
        "{\"session_id\":\"s\",\"tags\":7,\"items\":[]}",
        "{\"session_id\":\"s\",\"tags\":[\"\"],\"items\":[{}]}",
        "{\"session_id\":\"s\",\"metadata\":7,\"items\":[]}",
        "{\"session_id\":\"a\\u0000\",\"items\":[{}]}",
        "{\"session_id\":\"s\",\"items\":[{}],\"added_at\":[]}",
        "{\"session_id\":\"s\",\"items\":[{}],\"added_at\":7}",
        "{\"session_id\":\"s\",\"items\":[{}],\"added_at\":[7]}",
        "{\"session_id\":\"s\",\"items\":[{}],\"updated_at\":\"in spring\"}",
        "{\"role\":\"user\",\"content\":\"x\"}\n7"
      })
  void whatIsNoExportIsRefusedAndNothingIsMade(String body) {
    assertThat(ann.post("/api/sessions/import", body).is(400).body()).contains("request_id");
    assertThat(ann.get("/api/sessions").data()).isEmpty();
  }

  private static String describedBy(String fields) {
    return "{\"session_id\":\"s\","
        + fields
        + ",\"items\":[{\"role\":\"user\",\"content\":\"x\"}]}";
  }

  @Test
  void aDescriptionThatNoOtherRouteTakesIsRefused() {
    String metadata = "\"metadata\":{\"a\":\"" + "é".repeat(1 << 19) + "\"}";
    Answer refused = ann.post("/api/sessions/import", describedBy(metadata));
    refused.refused(400, "invalid_export");
    assertThat(refused.body()).contains("metadata").contains("1048576");
    String tags =
        IntStream.range(0, 101).mapToObj(i -> "\"t" + i + "\"").collect(Collectors.joining(","));
    ann.post("/api/sessions/import", describedBy("\"tags\":[" + tags + "]"))
        .refused(400, "invalid_export");
    String chat =
        "[{\"id\":\"c\",\"title\":\""
            + "t".repeat(1 << 20)
            + "\",\"mapping\":{\"a\":{\"id\":\"a\","
            + "\"message\":{\"author\":{\"role\":\"user\"},\"content\":{\"parts\":[\"x\"]}}}}}]";
    ann.post("/api/sessions/import", chat).refused(400, "invalid_export");
    ann.post("/api/sessions/import", describedBy("\"title\":\"" + "t".repeat(1025) + "\""))
        .refused(400, "invalid_export");
    assertThat(ann.get("/api/sessions").data()).isEmpty();
    ann.post(
            "/api/sessions/import",
            describedBy("\"metadata\":{\"a\":\"" + "é".repeat(500_000) + "\"}"))
        .is(200);
  }

  @Test
  void tooDeepAnItemIsRefusedWithoutAWordAboutJava() {
    String deep = "{\"type\":\"x\",\"a\":" + "[".repeat(200) + "]".repeat(200) + "}";
    assertThat(ann.post("/api/sessions/import", deep).is(400).body())
        .contains("nested deeper than 200 levels")
        .doesNotContain("ItemLimits");
  }

  @Test
  void anExportForPeopleIsTextAndNothingElse() {
    servers
        .session("s")
        .addItems(
            List.of(
                Item.user("<script>alert(1)</script>"),
                Item.functionCall("c1", "f", "{\"a\":\"```\"}"),
                Item.assistant("**done**")));
    Answer md = ann.get("/api/sessions/s/export?format=md").is(200);
    assertThat(md.body()).startsWith("# s\n").contains("## User").contains("````\n{\"a\"");
    Answer html = ann.get("/api/sessions/s/export?format=html").is(200);
    assertThat(html.body()).contains("&lt;script&gt;").doesNotContain("<script");
    Answer csv = ann.get("/api/sessions/s/export?format=csv").is(200);
    assertThat(csv.body()).startsWith("owner,session_id,").contains("\r\nann,s,,");
    assertThat(html.response().headers().firstValue("content-security-policy").orElseThrow())
        .startsWith("default-src 'none'");
  }

  @Test
  void anExportOfChatGptIsImportedWithItsBranchesAndOnce() {
    String message =
        "\"message\":{\"author\":{\"role\":\"user\"},\"content\":{\"parts\":[\"%s\"]}}";
    String body =
        "[{\"id\":\"g\",\"title\":\"From ChatGPT\",\"current_node\":\"b\",\"mapping\":{\"a\":{"
            + message.formatted("Hello")
            + "},\"b\":{\"parent\":\"a\","
            + message.formatted("now")
            + "},\"c\":{\"parent\":\"a\","
            + message.formatted("before")
            + "}}}]";
    Answer made = ann.post("/api/sessions/import", body).is(200);
    assertThat(made.body()).contains("\"format\":\"chatgpt\"", "\"imported\":2");
    assertThat(servers.items("g")).hasSize(2);
    assertThat(servers.items("g~c")).hasSize(2);
    assertThat(ann.post("/api/sessions/import", body).is(200).body())
        .contains("\"imported\":0,\"continued\":0,\"already_there\":2");
    ann.post("/api/sessions/import?session_id=x", body).is(400);
    ann.post("/api/sessions/import", body.substring(0, body.length() - 3)).is(400);
    servers.session("g").clearSession();
    servers.session("g").addItems(List.of(Item.user("mine")));
    ann.send("DELETE", "/api/sessions/g~c", "");
    assertThat(ann.post("/api/sessions/import", body).is(200).body()).contains("\"refused\":1");
  }

  @Test
  void anImportKeepsToTheLimit() {
    Caller small =
        new Caller(
            servers.serve(
                new ScriptedModel(),
                settings -> settings.chat(settings.chat().limit(1, ChatSettings.AtLimit.REFUSE))),
            "ann");
    small.post("/api/sessions/import", "[{},{}]").refused(400, "message_limit_reached");
  }
}
