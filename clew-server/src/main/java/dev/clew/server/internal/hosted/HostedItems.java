package dev.clew.server.internal.hosted;

import dev.clew.Item;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.json.UncheckedJson;
import dev.clew.server.internal.wire.WireItems;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The items of the Responses API about MCP servers. Stateless. */
public final class HostedItems {
  public static final String CALL = "mcp_call";
  public static final String LIST = "mcp_list_tools";
  static final String REQUEST = "mcp_approval_request";
  static final String RESPONSE = "mcp_approval_response";

  private HostedItems() {}

  /** An item before anything is known of it but its server. */
  public static Item listing(String server) {
    return list(WireItems.newId(LIST), server, List.of(), null);
  }

  /** The list that was begun with {@link #listing}. */
  public static Item listed(Item begun, String server, List<String> tools, @Nullable String error) {
    return list(begun.id().orElseThrow(), server, tools, error);
  }

  private static Item list(String id, String server, List<String> tools, @Nullable String error) {
    return Item.stored(
        new JsonObject()
            .put("id", id)
            .put("type", LIST)
            .put("server_label", server)
            .array("tools", tools)
            .put("error", error)
            .toString());
  }

  /**
   * A call that has begun. The field {@code call_id} is for us; clients do not get it.
   *
   * @param arguments JSON text, as far as it is known
   */
  public static Item calling(HostedTool tool, String callId, String arguments) {
    return Item.stored(call(tool, callId, arguments, "in_progress", null, "null").toString());
  }

  /** A call that is over. */
  public static Item called(
      HostedTool tool, String callId, String arguments, @Nullable String output, String error) {
    String status = error.equals("null") ? "completed" : "failed";
    return Item.stored(call(tool, callId, arguments, status, output, error).toString());
  }

  /**
   * A call of a tool that is not offered.
   *
   * @param over whether it has failed already
   */
  public static Item notOffered(
      String server, String tool, String callId, String arguments, boolean over) {
    String why = "there is no tool '" + tool + "' in this response; nothing was called";
    JsonObject error =
        new JsonObject().put("type", "mcp_protocol_error").put("code", 0).put("message", why);
    return Item.stored(
        new JsonObject()
            .put("type", CALL)
            .put("call_id", callId)
            .put("approval_request_id", (Object) null)
            .put("server_label", server)
            .put("name", tool)
            .put("arguments", over ? arguments : "")
            .put("status", over ? "failed" : "in_progress")
            .put("output", (Object) null)
            .raw("error", over ? error.toString() : "null")
            .toString());
  }

  private static JsonObject call(
      HostedTool tool,
      String callId,
      String arguments,
      String status,
      @Nullable String output,
      String error) {
    return new JsonObject()
        .put("type", CALL)
        .put("call_id", callId)
        .put("approval_request_id", tool.approval(callId).orElse(null))
        .put("server_label", tool.server())
        .put("name", tool.tool())
        .put("arguments", arguments)
        .put("status", status)
        .put("output", output)
        .raw("error", error);
  }

  /** A call that somebody must approve. */
  public static Item approvalRequest(HostedTool tool, String arguments) {
    return Item.stored(
        new JsonObject()
            .put("id", WireItems.newId(REQUEST))
            .put("type", REQUEST)
            .put("server_label", tool.server())
            .put("name", tool.tool())
            .put("arguments", arguments)
            .toString());
  }

  static Map<String, String> fields(Item item) {
    return UncheckedJson.fields(item.json());
  }

  static Optional<String> text(Item item, String field) {
    return Optional.ofNullable(Json.string(fields(item).get(field)));
  }

  /** The tools that a context has of a server, if they were listed. */
  static Optional<List<String>> tools(List<Item> context, String server) {
    return context.stream()
        .filter(item -> item.type().equals(LIST))
        .filter(item -> text(item, "server_label").equals(Optional.of(server)))
        .map(HostedItems::fields)
        .filter(fields -> fields.getOrDefault("error", "null").equals("null"))
        .map(fields -> fields.getOrDefault("tools", ""))
        .filter(tools -> tools.startsWith("["))
        .map(UncheckedJson::elements)
        .reduce((older, newer) -> newer);
  }
}
