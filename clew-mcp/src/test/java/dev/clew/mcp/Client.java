package dev.clew.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.clew.SessionStore;
import dev.clew.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A client of a server, which checks each result against the schema of its tool. */
final class Client {
  private static final SchemaRegistry SCHEMAS =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

  private final McpServer server;
  private final McpCaller caller;

  Client(SessionStore store, String owner, boolean mayWrite) {
    server = new McpServer(store, Searching.of(store), "1.0");
    caller = McpCaller.of(owner, mayWrite);
  }

  McpReply send(String message) {
    return server.answer(caller, McpMessage.of(message));
  }

  McpReply send(String message, String version, String method, String name) {
    return server.answer(
        caller,
        new McpMessage(
            message,
            Optional.of(version).filter(text -> !text.isEmpty()),
            Optional.of(method).filter(text -> !text.isEmpty()),
            Optional.of(name).filter(text -> !text.isEmpty()),
            true));
  }

  /** The result of a request of a client with a handshake. */
  Map<String, Object> request(String method, Map<String, ?> params) {
    Map<String, Object> reply = answer(method, params);
    assertThat(reply).doesNotContainKey("error");
    return object(reply, "result");
  }

  Map<String, Object> error(String method, Map<String, ?> params) {
    return object(answer(method, params), "error");
  }

  private Map<String, Object> answer(String method, Map<String, ?> params) {
    McpReply reply =
        send(Json.write(Map.of("jsonrpc", "2.0", "id", 7, "method", method, "params", params)));
    return Json.readObject(reply.json().orElseThrow());
  }

  /** The structured result of a tool, which must match the tool's schema. */
  Map<String, Object> call(String tool, Map<String, ?> arguments) {
    Map<String, Object> result =
        request("tools/call", Map.of("name", tool, "arguments", arguments));
    assertThat(result).doesNotContainKey("isError");
    Map<String, Object> structured = object(result, "structuredContent");
    assertThat(Json.readObject(text(result))).isEqualTo(structured);
    Schema schema = SCHEMAS.getSchema(Json.write(tool(tool).get("outputSchema")), InputFormat.JSON);
    assertThat(schema.validate(Json.write(structured), InputFormat.JSON)).isEmpty();
    return structured;
  }

  /** The sentence with which a tool refuses a call. */
  String refusal(String tool, Map<String, ?> arguments) {
    Map<String, Object> result =
        request("tools/call", Map.of("name", tool, "arguments", arguments));
    assertThat(result).containsEntry("isError", true);
    return text(result);
  }

  Map<String, Object> tool(String name) {
    return objects(request("tools/list", Map.of()), "tools").stream()
        .filter(tool -> name.equals(tool.get("name")))
        .findFirst()
        .orElseThrow();
  }

  private static String text(Map<String, Object> result) {
    return String.valueOf(objects(result, "content").get(0).get("text"));
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> object(Map<String, Object> json, String name) {
    return (Map<String, Object>) java.util.Objects.requireNonNull(json.get(name), name);
  }

  @SuppressWarnings("unchecked")
  static List<Map<String, Object>> objects(Map<String, Object> json, String name) {
    return new ArrayList<>(
        (List<Map<String, Object>>) java.util.Objects.requireNonNull(json.get(name), name));
  }
}
