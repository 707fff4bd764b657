package dev.clew.agent;

import dev.clew.Item;
import dev.clew.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The items of OpenAI's API about MCP servers, as calls of functions, which every model reads.
 * Stateless.
 */
public final class McpItems {
  private static final String CALL = "mcp_call";
  private static final String LIST = "mcp_list_tools";
  private static final String REQUEST = "mcp_approval_request";
  private static final String RESPONSE = "mcp_approval_response";
  private static final Set<String> TYPES = Set.of(CALL, LIST, REQUEST, RESPONSE);

  private McpItems() {}

  /** Whether it is one of them. */
  public static boolean isOne(Item item) {
    return TYPES.contains(item.type());
  }

  /**
   * The same items, with calls of MCP tools as calls of functions and their outputs. Requests for
   * approval become calls that were rejected, or about which nobody has decided. Calls that were
   * approved and not done stay as they are, for whoever does them.
   */
  public static List<Item> asFunctions(List<Item> items) {
    if (items.stream().noneMatch(McpItems::isOne)) {
      return items;
    }
    Set<String> called = new HashSet<>();
    Map<String, Map<String, String>> decisions = new HashMap<>();
    for (Item item : items) {
      Map<String, String> fields = isOne(item) ? Json.fields(item.json()) : Map.of();
      String request = text(fields, "approval_request_id");
      if (item.type().equals(CALL)) {
        called.add(request);
      } else if (item.type().equals(RESPONSE)) {
        decisions.put(request, fields);
      }
    }
    List<Item> functions = new ArrayList<>();
    for (Item item : items) {
      if (!isOne(item)) {
        functions.add(item);
        continue;
      }
      Map<String, String> fields = Json.fields(item.json());
      String id = item.id().orElse("mcp_" + functions.size());
      if (item.type().equals(CALL)) {
        add(functions, id, fields, output(fields));
      } else if (item.type().equals(REQUEST) && !called.contains(id)) {
        Map<String, String> decision = decisions.get(id);
        if (isApproval(decision)) {
          functions.add(item);
        } else {
          add(functions, id, fields, rejection(decision));
        }
      } else if (item.type().equals(RESPONSE)
          && isApproval(fields)
          && !called.contains(text(fields, "approval_request_id"))) {
        functions.add(item);
      }
    }
    return functions;
  }

  private static void add(List<Item> items, String id, Map<String, String> fields, String output) {
    String name = ToolSpec.nameOf(text(fields, "server_label"), text(fields, "name"));
    items.add(Item.functionCall(id, name, text(fields, "arguments")));
    items.add(Item.functionCallOutput(id, output));
  }

  private static String output(Map<String, String> fields) {
    String error = fields.getOrDefault("error", "null");
    if (error.equals("null")) {
      return text(fields, "output");
    }
    return "Error: " + (error.startsWith("\"") ? text(fields, "error") : error);
  }

  private static boolean isApproval(@Nullable Map<String, String> response) {
    return response != null && "true".equals(response.get("approve"));
  }

  private static String rejection(@Nullable Map<String, String> response) {
    if (response == null) {
      return "Not done: nobody has decided about this call yet.";
    }
    String reason = text(response, "reason");
    return "Not done: the call was not approved." + (reason.isEmpty() ? "" : " " + reason);
  }

  private static String text(Map<String, String> fields, String name) {
    String text = Json.string(fields.get(name));
    return text == null ? "" : text;
  }
}
