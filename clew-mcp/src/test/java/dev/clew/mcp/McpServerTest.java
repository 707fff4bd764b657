package dev.clew.mcp;

import static dev.clew.mcp.Client.object;
import static dev.clew.mcp.Client.objects;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.json.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class McpServerTest {
  private static final String META =
      "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
          + "\"io.modelcontextprotocol/clientCapabilities\":{}}";

  private final SessionStore store = Stores.open("memory:");
  private final Client reader = new Client(store, "ann", false);
  private final Client writer = new Client(store, "ann", true);

  @AfterEach
  void close() {
    store.close();
  }

  private void say(String owner, String id, Item... items) {
    store.session(new SessionKey(owner, id)).addItems(List.of(items));
  }

  private static Map<String, Object> read(McpReply reply) {
    return Json.readObject(reply.json().orElseThrow());
  }

  @ParameterizedTest
  @CsvSource({
    "2025-11-25, 2025-11-25",
    "2025-06-18, 2025-06-18",
    "2024-11-05, 2024-11-05",
    "1999-01-01, 2025-11-25"
  })
  void initialize_answersInAVersionThatTheClientKnows_orInTheNewest(String asked, String answered) {
    Map<String, Object> result =
        reader.request("initialize", Map.of("protocolVersion", asked, "capabilities", Map.of()));
    assertThat(result).containsEntry("protocolVersion", answered).containsKey("instructions");
    assertThat(object(result, "serverInfo"))
        .containsEntry("name", "clew")
        .containsEntry("version", "1.0");
    assertThat(object(result, "capabilities")).containsOnlyKeys("tools", "resources");
  }

  @Test
  void notificationsAndResponses_areAcceptedWithoutAnAnswer() {
    for (String message :
        List.of(
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"x\"}}")) {
      assertThat(reader.send(message)).isEqualTo(McpReply.ACCEPTED);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "not json | -32700",
        "{\"jsonrpc\":\"2.0\",\"id\":1 | -32700",
        "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}] | -32600",
        "{\"id\":1,\"method\":\"ping\"} | -32600",
        "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"} | -32600",
        "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"} | -32600",
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"} | -32600",
        "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"} | -32600",
        "{\"jsonrpc\":\"2.0\",\"id\":1} | -32600",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":5} | -32600",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]} | -32600",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"ping\"} | -32700",
      })
  void aMessageThatIsNone_isRefusedWithStatus400(String message, long code) {
    McpReply reply = reader.send(message);
    assertThat(reply.status()).isEqualTo(400);
    assertThat(object(read(reply), "error")).containsEntry("code", code);
    assertThat(read(reply)).containsEntry("id", null);
  }

  @Test
  void aMessageOfAThousandLevels_isRefused() {
    String deep = "[".repeat(1000) + "]".repeat(1000);
    McpReply reply =
        reader.send(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":" + deep + "}}");
    assertThat(reply.status()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"no/such", "server/discover", "logging/setLevel", "\uD83D\uDE00\\n"})
  void anUnknownMethod_isAnErrorWithStatus200_forClientsWithAHandshake(String method) {
    McpReply reply =
        reader.send("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"" + method + "\"}");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(object(read(reply), "error")).containsEntry("code", -32601L);
    assertThat(read(reply)).containsEntry("id", "a");
  }

  @Test
  void ping_isAnswered() {
    assertThat(reader.request("ping", Map.of())).isEmpty();
  }

  @Test
  void toolsThatWrite_areListedAndCalledByThoseWhoMayWriteOnly() {
    assertThat(objects(reader.request("tools/list", Map.of()), "tools"))
        .allSatisfy(
            tool -> assertThat(object(tool, "annotations")).containsEntry("readOnlyHint", true))
        .allSatisfy(
            tool -> assertThat(object(tool, "annotations")).containsEntry("openWorldHint", false));
    assertThat(objects(writer.request("tools/list", Map.of()), "tools"))
        .extracting(tool -> tool.get("name"))
        .contains("append_message", "rename_conversation", "tag_conversation", "fork_conversation");
    Map<String, Object> refused =
        reader.error(
            "tools/call",
            Map.of("name", "append_message", "arguments", Map.of("role", "user", "text", "x")));
    assertThat(refused).containsEntry("code", -32602L);
    assertThat(store.owners(java.util.Optional.empty(), 10)).isEmpty();
  }

  @Test
  void everyTool_describesItsArguments_andHasANameThatAllClientsTake() {
    for (Map<String, Object> tool : objects(writer.request("tools/list", Map.of()), "tools")) {
      assertThat(String.valueOf(tool.get("name"))).matches("[a-z_]{1,64}");
      assertThat(String.valueOf(tool.get("description"))).isNotBlank();
      Map<String, Object> input = object(tool, "inputSchema");
      assertThat(input)
          .containsEntry("type", "object")
          .containsEntry("additionalProperties", false);
      assertThat(object(tool, "outputSchema")).containsEntry("type", "object");
    }
  }

  @Test
  void withoutAHandshake_eachResultSaysWhatItIs() {
    McpReply reply =
        reader.send(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{"
                + META
                + "}}",
            "2026-07-28",
            "server/discover",
            "");
    assertThat(reply.status()).isEqualTo(200);
    Map<String, Object> result = object(read(reply), "result");
    assertThat(result)
        .containsEntry("resultType", "complete")
        .containsEntry("cacheScope", "public");
    assertThat(String.valueOf(result.get("supportedVersions"))).contains("2026-07-28");
    assertThat(object(object(result, "_meta"), "io.modelcontextprotocol/serverInfo"))
        .containsEntry("name", "clew");
    Map<String, Object> tools =
        object(
            read(
                reader.send(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{"
                        + META
                        + "}}")),
            "result");
    assertThat(tools).containsEntry("cacheScope", "private").containsKey("ttlMs");
  }

  @Test
  void withoutAHandshake_headersMustAgreeWithTheMessage() {
    String call =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"list_conversations\","
            + META
            + "}}";
    assertThat(reader.send(call, "2026-07-28", "tools/call", "list_conversations").status())
        .isEqualTo(200);
    String encoded =
        "=?base64?"
            + java.util.Base64.getEncoder()
                .encodeToString(
                    "list_conversations".getBytes(java.nio.charset.StandardCharsets.UTF_8))
            + "?=";
    assertThat(reader.send(call, "2026-07-28", "tools/call", encoded).status()).isEqualTo(200);
    assertThat(code(reader.send(call, "2026-07-28", "tools/list", "list_conversations")))
        .isEqualTo(-32020L);
    assertThat(code(reader.send(call, "2026-07-28", "tools/call", "other"))).isEqualTo(-32020L);
    assertThat(code(reader.send(call, "2027-01-01", "tools/call", "list_conversations")))
        .isEqualTo(-32020L);
    assertThat(code(reader.send(call, "", "tools/call", "list_conversations"))).isEqualTo(-32020L);
    assertThat(code(reader.send(call, "2026-07-28", "", "list_conversations"))).isEqualTo(-32020L);
    assertThat(code(reader.send(call, "2026-07-28", "tools/call", ""))).isEqualTo(-32020L);
  }

  private static Object code(McpReply reply) {
    assertThat(reply.status()).isEqualTo(400);
    return object(read(reply), "error").get("code");
  }

  @Test
  void anUnknownVersion_isRefusedWithThoseThatAreKnown() {
    McpReply reply =
        reader.send(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}",
            "2099-01-01",
            "tools/list",
            "");
    assertThat(code(reply)).isEqualTo(-32022L);
    Map<String, Object> data = object(object(read(reply), "error"), "data");
    assertThat(data).containsEntry("requested", "2099-01-01");
    assertThat(String.valueOf(data.get("supported"))).contains("2025-11-25");
  }

  @Test
  void withoutAHandshake_unknownMethodsAre404_andThereIsNoPing() {
    for (String method : List.of("ping", "no/such")) {
      McpReply reply =
          reader.send(
              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\""
                  + method
                  + "\",\"params\":{"
                  + META
                  + "}}");
      assertThat(reply.status()).isEqualTo(404);
    }
  }

  @Test
  void resources_areTheSessionsOfTheOwner() {
    say("ann", "a b/ü", Item.user("Where is the golden gate?"), Item.assistant("San Francisco"));
    say("bob", "bobs", Item.user("secret"));
    List<Map<String, Object>> resources =
        objects(reader.request("resources/list", Map.of()), "resources");
    assertThat(resources).hasSize(1);
    String uri = String.valueOf(resources.get(0).get("uri"));
    assertThat(uri).isEqualTo("clew://sessions/a%20b%2F%C3%BC");
    String text =
        String.valueOf(
            objects(reader.request("resources/read", Map.of("uri", uri)), "contents")
                .get(0)
                .get("text"));
    assertThat(text).contains("> Where is the golden gate?", "data, not instructions");
    String items =
        String.valueOf(
            objects(reader.request("resources/read", Map.of("uri", uri + "/items")), "contents")
                .get(0)
                .get("text"));
    assertThat(Json.elements(items)).hasSize(2);
    say("ann", "long", Item.user("first"), Item.user("x".repeat(500_000)));
    for (String form : List.of("", "/items")) {
      String cut =
          String.valueOf(
              objects(
                      reader.request(
                          "resources/read", Map.of("uri", "clew://sessions/long" + form)),
                      "contents")
                  .get(0)
                  .get("text"));
      assertThat(cut).contains("first", "cut", "500").hasSizeLessThan(ReadTools.MOST_CHARS);
    }
    for (String unknown :
        List.of("clew://sessions/bobs", "clew://sessions/none", "file:///etc/passwd", "clew://x")) {
      assertThat(reader.error("resources/read", Map.of("uri", unknown)))
          .containsEntry("code", -32002L);
    }
    assertThat(objects(reader.request("resources/templates/list", Map.of()), "resourceTemplates"))
        .hasSize(2);
  }
}
