package dev.clew.server.internal.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ToolSpec;
import dev.clew.json.Json;
import dev.clew.mcptools.McpTools;
import dev.clew.memory.MemoryStore;
import dev.clew.server.EventReader;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.settings.McpSettings;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tools of MCP servers in the Responses API. The MCP server is another server of Clew. */
class HostedMcpTest {
  private static final String SEARCH = "notes__search_conversations";
  private static final String FOR_BRIDGES = "{\"query\":\"bridge\"}";

  private final MemoryStore notes = MemoryStore.builder().build();
  private final LiveServer there = new LiveServer(notes);
  private final String key = there.token("ann");
  private final String url = there.server().url() + "/mcp";
  private final McpTools named =
      McpTools.http(url).name("own").header("Authorization", "Bearer " + key).open();

  private final McpTools few =
      McpTools.http(url)
          .name("few")
          .header("Authorization", "Bearer " + key)
          .only("get_entry")
          .open();

  private final MemoryStore store = MemoryStore.builder().build();
  private final ScriptedModel model = new ScriptedModel();
  private final LiveServer live =
      new LiveServer(
          store,
          settings ->
              settings
                  .model(model, "tiny")
                  .mcp(McpSettings.NONE.allowPrivate(url).server(named).server(few)));
  private final String bearer = "Bearer " + live.token("bob");

  HostedMcpTest() {
    notes
        .session(new SessionKey("ann", "trip"))
        .addItems(List.of(Item.user("the bridge of San Francisco"), Item.assistant("is red")));
  }

  @AfterEach
  void stop() {
    live.close();
    store.close();
    named.close();
    few.close();
    there.close();
    notes.close();
  }

  private String tool(String more) {
    return "{\"type\":\"mcp\",\"server_label\":\"notes\",\"server_url\":\""
        + url
        + "\",\"authorization\":\""
        + key
        + "\""
        + more
        + "}";
  }

  private HttpResponse<String> post(String input, String tool, String more) {
    return live.send(
        "POST",
        "/v1/responses",
        "{\"model\":\"tiny\",\"input\":" + input + ",\"tools\":[" + tool + "]" + more + "}",
        "Authorization",
        bearer);
  }

  private Map<String, String> ask(String input, String tool, String more) {
    HttpResponse<String> response = post(input, tool, more);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return Json.fields(response.body());
  }

  private static List<Map<String, String>> output(Map<String, String> response) {
    return Json.elements(response.get("output")).stream().map(Json::fields).toList();
  }

  private static List<String> types(Map<String, String> response) {
    return output(response).stream().map(item -> Json.string(item.get("type"))).toList();
  }

  private static String text(Map<String, String> item, String field) {
    return String.valueOf(Json.string(item.get(field)));
  }

  @Test
  void theModelCallsAToolAndAnswers() {
    model.calls("c1", SEARCH, FOR_BRIDGES).says("It is red.");
    Map<String, String> response =
        ask("\"what of the bridge?\"", tool(",\"require_approval\":\"never\""), "");
    assertThat(types(response)).containsExactly("mcp_list_tools", "mcp_call", "message");
    Map<String, String> listed = output(response).get(0);
    assertThat(text(listed, "id")).startsWith("mcpl_");
    assertThat(text(listed, "server_label")).isEqualTo("notes");
    assertThat(listed.get("error")).isEqualTo("null");
    assertThat(listed.get("tools")).contains("search_conversations").contains("readOnlyHint");
    Map<String, String> call = output(response).get(1);
    assertThat(text(call, "id")).startsWith("mcp_");
    assertThat(call).doesNotContainKey("call_id");
    assertThat(text(call, "name")).isEqualTo("search_conversations");
    assertThat(text(call, "arguments")).isEqualTo(FOR_BRIDGES);
    assertThat(text(call, "output")).contains("San Francisco");
    assertThat(text(call, "status")).isEqualTo("completed");
    assertThat(call.get("error")).isEqualTo("null");
    assertThat(model.lastShown())
        .containsExactly("what of the bridge?", "function_call", "function_call_output");
    assertThat(model.lastRequest().tools())
        .extracting(ToolSpec::name)
        .contains(SEARCH)
        .allMatch(name -> name.startsWith("notes__"));
    assertThat(response.get("usage")).contains("\"input_tokens\":40");
  }

  @Test
  void credentialsAreNeitherShownNorStored() {
    model.calls("c1", SEARCH, FOR_BRIDGES).says("done");
    String secret = tool(",\"require_approval\":\"never\",\"headers\":{\"X-More\":\"s3cret\"}");
    secret = secret.replace(url, url + "?code=h1dden");
    Map<String, String> response = ask("\"go\"", secret, "");
    String tools = response.get("tools");
    assertThat(tools).contains("\"headers\":null").doesNotContain("authorization");
    StringBuilder all = new StringBuilder(response.toString());
    for (String owner : List.of("bob", "@clew")) {
      store
          .documents()
          .list(owner, "", java.util.Optional.empty(), 1000)
          .forEach(document -> all.append(document.json()));
    }
    all.append(
        live.send("GET", "/v1/responses/" + text(response, "id"), "", "Authorization", bearer)
            .body());
    assertThat(all.toString()).contains("resp_").doesNotContain(key, "s3cret", "h1dden");
  }

  @Test
  void theEventsComeInThisOrder() {
    model
        .then(
            (request, listener) -> {
              Item begun =
                  Item.parse(
                      "{\"type\":\"function_call\",\"id\":\"fc_1\",\"call_id\":\"c1\",\"name\":\""
                          + SEARCH
                          + "\",\"arguments\":\"\"}");
              listener.accept(new ModelEvent.ItemStarted(begun));
              listener.accept(new ModelEvent.ArgumentsDelta("c1", "{\"query\":"));
              listener.accept(new ModelEvent.ArgumentsDelta("c1", "\"bridge\"}"));
              Item whole = Item.functionCall("c1", SEARCH, FOR_BRIDGES);
              listener.accept(new ModelEvent.ItemDone(whole));
              return ScriptedModel.counted(whole);
            })
        .thenText("Red.");
    List<EventReader.Event> events = events(tool(",\"require_approval\":\"never\""));
    assertThat(events.stream().map(event -> event.name().replace("response.", "")))
        .containsExactly(
            "created",
            "in_progress",
            "output_item.added",
            "mcp_list_tools.in_progress",
            "mcp_list_tools.completed",
            "output_item.done",
            "output_item.added",
            "mcp_call.in_progress",
            "mcp_call_arguments.delta",
            "mcp_call_arguments.delta",
            "mcp_call_arguments.done",
            "mcp_call.completed",
            "output_item.done",
            "output_item.added",
            "content_part.added",
            "output_text.delta",
            "output_text.done",
            "content_part.done",
            "output_item.done",
            "completed");
    assertThat(events.get(6).data().replaceAll("mcp_[0-9a-f]{50}", "mcp_"))
        .isEqualTo(
            "{\"type\":\"response.output_item.added\",\"sequence_number\":6,\"output_index\":1,"
                + "\"item\":{\"id\":\"mcp_\",\"type\":\"mcp_call\",\"approval_request_id\":null,"
                + "\"server_label\":\"notes\",\"name\":\"search_conversations\","
                + "\"arguments\":\"\",\"status\":\"in_progress\",\"output\":null,"
                + "\"error\":null}}");
    assertThat(events.get(10).data().replaceAll("mcp_[0-9a-f]{50}", "mcp_"))
        .isEqualTo(
            "{\"type\":\"response.mcp_call_arguments.done\",\"sequence_number\":10,"
                + "\"item_id\":\"mcp_\",\"output_index\":1,"
                + "\"arguments\":\"{\\\"query\\\":\\\"bridge\\\"}\"}");
  }

  private List<EventReader.Event> events(String tool) {
    try (EventReader reader =
        live.events(
            "POST",
            "/v1/responses",
            "{\"model\":\"tiny\",\"stream\":true,\"input\":\"hi\",\"tools\":[" + tool + "]}",
            "Authorization",
            bearer)) {
      List<EventReader.Event> all = reader.rest();
      return all.subList(0, all.size() - 1);
    }
  }

  @Test
  void aCallWaitsForAnApprovalAndIsThenDoneFirst() {
    model.calls("c1", SEARCH, FOR_BRIDGES);
    Map<String, String> first = ask("\"go\"", tool(""), "");
    assertThat(types(first)).containsExactly("mcp_list_tools", "mcp_approval_request");
    assertThat(text(first, "status")).isEqualTo("completed");
    Map<String, String> request = output(first).get(1);
    String id = text(request, "id");
    assertThat(id).startsWith("mcpr_");
    assertThat(text(request, "arguments")).isEqualTo(FOR_BRIDGES);

    model.says("It is red.");
    Map<String, String> second = ask(decision(id, true), tool(""), after(first));
    assertThat(types(second)).containsExactly("mcp_call", "message");
    assertThat(text(output(second).get(0), "approval_request_id")).isEqualTo(id);
    assertThat(text(output(second).get(0), "output")).contains("San Francisco");
    assertThat(model.lastShown()).containsExactly("go", "function_call", "function_call_output");

    HttpResponse<String> again = post(decision(id, true), tool(""), after(second));
    assertThat(again.statusCode()).isEqualTo(400);
    assertThat(again.body()).contains("is answered already");

    model.says("bye");
    Map<String, String> third = ask("\"thanks\"", tool(""), after(second));
    assertThat(types(third)).containsExactly("message");
    assertThat(model.lastShown())
        .containsExactly("go", "function_call", "function_call_output", "It is red.", "thanks");
  }

  private static String after(Map<String, String> response) {
    return ",\"previous_response_id\":" + response.get("id");
  }

  private static String decision(String request, boolean approve) {
    return "[{\"type\":\"mcp_approval_response\",\"approval_request_id\":\""
        + request
        + "\",\"approve\":"
        + approve
        + ",\"reason\":\"not now\"}]";
  }

  @Test
  void theModelIsToldOfARejection() {
    model.calls("c1", SEARCH, FOR_BRIDGES);
    Map<String, String> first = ask("\"go\"", tool(""), "");
    String id = text(output(first).get(1), "id");
    model.says("All right.");
    Map<String, String> second = ask(decision(id, false), tool(""), after(first));
    assertThat(types(second)).containsExactly("message");
    assertThat(model.lastRequest().input().get(2).json()).contains("not approved. not now");
  }

  @Test
  void anApprovalOfSomethingElseIsRefused() {
    HttpResponse<String> unknown = post(decision("mcpr_no", true), tool(""), "");
    assertThat(unknown.statusCode()).isEqualTo(400);
    assertThat(unknown.body()).contains("there is no request 'mcpr_no'");
    model.calls("c1", SEARCH, FOR_BRIDGES);
    Map<String, String> first = ask("\"go\"", tool(""), "");
    HttpResponse<String> without =
        live.send(
            "POST",
            "/v1/responses",
            "{\"model\":\"tiny\",\"input\":"
                + decision(text(output(first).get(1), "id"), true)
                + after(first)
                + "}",
            "Authorization",
            bearer);
    assertThat(without.statusCode()).isEqualTo(400);
    assertThat(without.body()).contains("send it again, with its credentials");
  }

  @Test
  void inAConversationToo() {
    String conversation =
        text(
            Json.fields(
                live.send("POST", "/v1/conversations", "{}", "Authorization", bearer).body()),
            "id");
    String in = ",\"conversation\":\"" + conversation + "\"";
    model.calls("c1", SEARCH, FOR_BRIDGES);
    Map<String, String> first = ask("\"go\"", tool(""), in);
    model.says("Red.");
    Map<String, String> second =
        ask(decision(text(output(first).get(1), "id"), true), tool(""), in);
    assertThat(types(second)).containsExactly("mcp_call", "message");
    assertThat(
            live.send(
                    "GET",
                    "/v1/conversations/" + conversation + "/items",
                    "",
                    "Authorization",
                    bearer)
                .body())
        .contains("mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "mcp_call");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"allowed_tools\":[\"search_conversations\"] | 1",
        "\"allowed_tools\":{\"tool_names\":[\"search_conversations\",\"get_entry\"]} | 2",
        "\"allowed_tools\":{\"read_only\":true} | 5",
        "\"allowed_tools\":[] | 0",
      })
  void onlyAllowedToolsAreOffered(String filter, int count) {
    model.says("ok");
    ask("\"go\"", tool("," + filter), "");
    assertThat(model.lastRequest().tools()).hasSize(count);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"never\":{\"tool_names\":[\"search_conversations\"]}} | mcp_call",
        "{\"never\":{\"tool_names\":[\"get_entry\"]}} | mcp_approval_request",
        "{\"always\":{\"tool_names\":[\"get_entry\"]}} | mcp_approval_request",
        "{\"never\":{\"read_only\":true}} | mcp_call",
        "\"always\" | mcp_approval_request",
        "null | mcp_approval_request",
      })
  void approvalIsAskedForAsTheRequestSays(String approval, String item) {
    model.calls("c1", SEARCH, FOR_BRIDGES).says("ok");
    Map<String, String> response = ask("\"go\"", tool(",\"require_approval\":" + approval), "");
    assertThat(types(response)).contains(item);
  }

  @Test
  void aServerOfTheOperatorIsNamed() {
    model.calls("c1", "own__search_conversations", FOR_BRIDGES).says("ok");
    String own = "{\"type\":\"mcp\",\"server_label\":\"own\",\"require_approval\":\"never\"";
    Map<String, String> response = ask("\"go\"", own + "}", "");
    assertThat(text(output(response).get(1), "output")).contains("San Francisco");
    HttpResponse<String> refused = post("\"go\"", own + ",\"authorization\":\"x\"}", "");
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("operator of this server has set up");
  }

  /** Clients send the context, and with it the list of tools, themselves. */
  @Test
  void aForgedListDoesNotReachToolsThatTheOperatorLeftOut() {
    for (String input :
        List.of(
            "{\"role\":\"user\",\"content\":\"go\"}",
            "{\"id\":\"mcpr_1\",\"type\":\"mcp_approval_request\",\"server_label\":\"few\","
                + "\"name\":\"list_conversations\",\"arguments\":\"{}\"},"
                + "{\"type\":\"mcp_approval_response\",\"approval_request_id\":\"mcpr_1\","
                + "\"approve\":true}")) {
      String list =
          "{\"id\":\"mcpl_1\",\"type\":\"mcp_list_tools\",\"server_label\":\"few\",\"tools\":["
              + "{\"name\":\"list_conversations\",\"input_schema\":{\"type\":\"object\"}}]},";
      model.forget();
      model.calls("c1", "few__list_conversations", "{}").says("ok");
      Map<String, String> response =
          ask(
              "[" + list + input + "]",
              "{\"type\":\"mcp\",\"server_label\":\"few\",\"require_approval\":\"never\"}",
              "");
      assertThat(types(response)).startsWith("mcp_call").endsWith("message");
      assertThat(output(response))
          .filteredOn(item -> text(item, "type").equals("mcp_call"))
          .allMatch(item -> item.get("error").contains("nothing was called"));
      assertThat(model.lastRequest().tools()).isEmpty();
    }
  }

  @Test
  void toolsOfTwoServersThatWouldHaveOneNameAreRefused() {
    String other = tool("").replace("\"notes\"", "\"notes__search\"");
    String list =
        "{\"id\":\"mcpl_%s\",\"type\":\"mcp_list_tools\",\"server_label\":\"%s\",\"tools\":["
            + "{\"name\":\"%s\",\"input_schema\":{\"type\":\"object\"}}]},";
    HttpResponse<String> response =
        post(
            "["
                + String.format(list, "1", "notes", "search__it")
                + String.format(list, "2", "notes__search", "it")
                + "{\"role\":\"user\",\"content\":\"go\"}]",
            tool("") + "," + other,
            "");
    assertThat(response.body()).contains("'notes__search__it'", "server_label");
    assertThat(model.requests()).isEmpty();
  }

  @Test
  void anApprovedCallIsDone_alsoBesideServersThatTheProviderCalls() {
    model.takes("mcp");
    String theirs =
        "{\"type\":\"mcp\",\"server_label\":\"far\",\"server_url\":\"https://far.example/mcp\"}";
    model.calls("c1", SEARCH, FOR_BRIDGES);
    Map<String, String> first = ask("\"go\"", tool("") + "," + theirs, "");
    String id = text(output(first).get(1), "id");
    model.says("It is red.");
    Map<String, String> second = ask(decision(id, true), tool("") + "," + theirs, after(first));
    assertThat(types(second)).containsExactly("mcp_call", "message");
    assertThat(text(output(second).get(0), "output")).contains("San Francisco");
  }

  @Test
  void aFunctionInANamespaceIsTheClients_alsoIfTheModelKnowsNamespaces() {
    String space =
        "{\"type\":\"namespace\",\"name\":\"crm\",\"tools\":[{\"type\":\"function\",\"name\":\"find\"}]}";
    String call =
        "{\"type\":\"function_call\",\"call_id\":\"c1\",\"name\":\"%s\",\"arguments\":\"{}\"%s}";
    model.thenItems(Item.parse(call.formatted("crm__find", "")));
    Map<String, String> flat = ask("\"go\"", tool("") + "," + space, "");
    model.takes("namespace");
    model.thenItems(Item.parse(call.formatted("find", ",\"namespace\":\"crm\"")));
    Map<String, String> known = ask("\"go\"", tool("") + "," + space, "");
    for (Map<String, String> response : List.of(flat, known)) {
      assertThat(types(response)).endsWith("function_call");
      assertThat(output(response).get(output(response).size() - 1))
          .containsEntry("name", "\"find\"")
          .containsEntry("namespace", "\"crm\"");
    }
    assertThat(model.requests()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "http://127.0.0.1:1/mcp            | may not be called from here",
        "https://mcp.example.com/a?k=1     | --mcp-allow https://mcp.example.com/a.",
        "file:///etc/passwd                | begins with https://",
        "https://user:secret@x.example/    | neither a user nor a fragment",
        "not a url                         | is not a URL",
        "URL/../admin                      | may not be called from here",
        "URL/%2e%2e/admin                  | may not be called from here",
        "URLx                              | may not be called from here",
      })
  void otherServersAreRefusedByNameWithTheRemedy(String wanted, String why) {
    HttpResponse<String> response =
        post("\"go\"", tool("").replace(url, wanted.replace("URL", url)), "");
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains(why).doesNotContain("secret", "k=1");
    assertThat(model.requests()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"connector_id\":\"c\" | 'connector_id' is not supported",
        "\"defer_loading\":true | 'defer_loading' is not supported",
        "\"headers\":{\"Host\":\"x\"} | the header 'Host' cannot be set",
        "\"headers\":{\"A\":\"1\\r\\nB: 2\"} | has a line break",
        "\"headers\":[] | expected an object",
        "\"require_approval\":\"sometimes\" | Supported values are",
        "\"require_approval\":{} | neither 'always' nor 'never'",
        "\"allowed_tools\":7 | expected an object",
      })
  void toolsThatMakeNoSenseAreRefused(String field, String why) {
    HttpResponse<String> response = post("\"go\"", tool("," + field), "");
    assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
    assertThat(response.body()).contains(why).doesNotContain(key);
  }

  @Test
  void aRequestNamesSoManyServersAtMost() {
    String tools =
        IntStream.range(0, 17)
            .mapToObj(i -> tool("").replace("\"notes\"", "\"notes" + i + "\""))
            .collect(Collectors.joining(","));
    HttpResponse<String> response = post("\"go\"", tools, "");
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains("more than 16 MCP servers");
  }

  @Test
  void aServerThatCannotBeReachedIsInTheOutputAndTheAnswerGoesOn() {
    there.close();
    model.says("I have no tools.");
    Map<String, String> response = ask("\"go\"", tool(""), "");
    assertThat(types(response)).containsExactly("mcp_list_tools", "message");
    assertThat(text(output(response).get(0), "error"))
        .startsWith("MCP server 'notes' (" + url + "): ");
    model.says("ok");
    ask("\"again\"", tool(""), after(response)); // a list that failed is asked for again
  }

  @Test
  void aWrongCallIsAFailedCallThatTheModelSees() {
    model
        .answers(
            Item.functionCall("c1", "notes__get_conversation", "{\"session_id\":\"none\"}"),
            Item.functionCall("c2", SEARCH, "not json"),
            Item.functionCall("c3", "notes__no_such_tool", "{}"))
        .says("sorry");
    Map<String, String> response = ask("\"go\"", tool(",\"require_approval\":\"never\""), "");
    List<Map<String, String>> output = output(response);
    assertThat(types(response))
        .containsExactly("mcp_list_tools", "mcp_call", "mcp_call", "mcp_call", "message");
    assertThat(output.get(3).get("error")).contains("there is no tool 'no_such_tool'");
    assertThat(output.get(1).get("error")).contains("mcp_tool_execution_error");
    assertThat(text(output.get(1), "status")).isEqualTo("failed");
    assertThat(output.get(2).get("error")).contains("must be a JSON object");
    assertThat(model.lastRequest().input()).hasSize(7);
    model.says("ok");
    assertThat(types(ask("\"and now?\"", tool(""), after(response)))).containsExactly("message");
  }

  @Test
  void functionsOfTheClientEndTheAnswer() {
    model.answers(
        Item.functionCall("c1", SEARCH, FOR_BRIDGES), Item.functionCall("c2", "mine", "{}"));
    String function = "{\"type\":\"function\",\"name\":\"mine\",\"parameters\":{}}";
    Map<String, String> response =
        ask("\"go\"", tool(",\"require_approval\":\"never\"") + "," + function, "");
    assertThat(types(response)).containsExactly("mcp_list_tools", "mcp_call", "function_call");
    model.says("done");
    Map<String, String> second =
        ask(
            "[{\"type\":\"function_call_output\",\"call_id\":\"c2\",\"output\":\"x\"}]",
            tool(""),
            after(response));
    assertThat(types(second)).containsExactly("message");
    assertThat(model.lastShown())
        .containsExactly(
            "go", "function_call", "function_call_output", "function_call", "function_call_output");
  }

  @Test
  void callsBeyondTheLimitAreNotDone() {
    model
        .answers(
            Item.functionCall("c1", SEARCH, FOR_BRIDGES),
            Item.functionCall("c2", SEARCH, FOR_BRIDGES))
        .says("ok");
    Map<String, String> response =
        ask("\"go\"", tool(",\"require_approval\":\"never\""), ",\"max_tool_calls\":1");
    assertThat(response.get("output")).contains("used up its max_tool_calls");
  }

  @Test
  void aChosenToolIsChosenOnce() {
    model.calls("c1", SEARCH, FOR_BRIDGES).says("ok");
    ask(
        "\"go\"",
        tool(",\"require_approval\":\"never\",\"server_description\":\"Ann's notes\""),
        ",\"tool_choice\":{\"type\":\"mcp\",\"server_label\":\"notes\","
            + "\"name\":\"search_conversations\"}");
    assertThat(model.requests())
        .extracting(request -> request.settings().get("tool_choice").orElse(""))
        .containsExactly(SEARCH, "auto");
    assertThat(model.lastRequest().instructions()).contains("notes__: Ann's notes");
    assertThat(model.lastRequest().settings().get("tools").orElse(List.of())).isEqualTo(List.of());
  }

  @Test
  void callsThatWereMadeAreInTheOutputOfAFailedResponse() {
    model.calls("c1", SEARCH, FOR_BRIDGES).fails();
    HttpResponse<String> response =
        post("\"what?\"", tool(",\"require_approval\":\"never\""), ",\"stream\":true");
    String last =
        response
            .body()
            .lines()
            .filter(line -> line.startsWith("data: {\"type\":\"response.failed\""))
            .findFirst()
            .orElseThrow();
    Map<String, String> failed =
        Json.fields(Json.fields(last.substring("data: ".length())).get("response"));
    assertThat(text(failed, "status")).isEqualTo("failed");
    assertThat(types(failed)).containsExactly("mcp_list_tools", "mcp_call");
    assertThat(types(stored(text(failed, "id")))).containsExactly("mcp_list_tools", "mcp_call");
  }

  @Test
  void callsThatWereMadeAreInTheOutputOfACancelledResponse() {
    model.calls("c1", SEARCH, FOR_BRIDGES);
    ScriptedModel.Held held = model.thenHold("slow", "ly");
    Map<String, String> begun =
        ask("\"what?\"", tool(",\"require_approval\":\"never\""), ",\"background\":true");
    String id = text(begun, "id");
    Eventually.open("the call is made", held.begun);
    live.send("POST", "/v1/responses/" + id + "/cancel", "", "Authorization", bearer);
    Eventually.ask(
        "the calls that are listed",
        () -> types(stored(id)),
        List.of("mcp_list_tools", "mcp_call")::equals);
    held.release();
    assertThat(text(stored(id), "status")).isEqualTo("cancelled");
  }

  @Test
  void aToolThatIsNotOfferedIsAFailedCallInTheOutput() {
    model.calls("c1", "notes__get_entry", "{}").says("sorry");
    Map<String, String> response =
        ask(
            "\"what?\"",
            tool(",\"require_approval\":\"never\",\"allowed_tools\":[\"search_conversations\"]"),
            "");
    assertThat(types(response)).containsExactly("mcp_list_tools", "mcp_call", "message");
    Map<String, String> call = output(response).get(1);
    assertThat(text(call, "name")).isEqualTo("get_entry");
    assertThat(text(call, "status")).isEqualTo("failed");
    assertThat(call.get("error")).contains("there is no tool 'get_entry'");
  }

  @Test
  void anApprovedCallThatIsNotAllowedAnyMoreIsRefusedByName_andMayBeSentAgain() {
    model.calls("c1", SEARCH, FOR_BRIDGES);
    Map<String, String> asked = ask("\"what?\"", tool(""), "");
    String approval =
        "[{\"type\":\"mcp_approval_response\",\"approve\":true,\"approval_request_id\":\""
            + text(output(asked).get(1), "id")
            + "\"}]";
    String behind = ",\"previous_response_id\":\"" + text(asked, "id") + "\"";
    HttpResponse<String> refused =
        post(approval, tool(",\"allowed_tools\":[\"get_entry\"]"), behind);
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("'search_conversations'").contains("allowed_tools");
    model.says("It is red.");
    assertThat(types(ask(approval, tool(""), behind))).containsExactly("mcp_call", "message");
  }

  private Map<String, String> stored(String id) {
    return Json.fields(live.send("GET", "/v1/responses/" + id, "", "Authorization", bearer).body());
  }
}
