package dev.clew.openai;

import dev.clew.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The Conversations API in memory, with the limits of the original. Thread-safe. */
public final class ConversationsStub {
  record Reply(int status, String body) {}

  private static final Pattern PATH =
      Pattern.compile("/v1/conversations(?:/([^/]+))?(/items)?(?:/([^/]+))?");

  private final Map<String, Map<String, String>> conversations = new LinkedHashMap<>();
  private int number;

  public synchronized List<String> ids() {
    return List.copyOf(conversations.keySet());
  }

  public synchronized List<String> items(String conversation) {
    return List.copyOf(conversations.get(conversation).values());
  }

  synchronized void put(String conversation, List<String> items) {
    conversations.put(conversation, new LinkedHashMap<>());
    items.forEach(item -> add(conversations.get(conversation), item));
  }

  synchronized Reply handle(TestServer.Received request) {
    Matcher path = PATH.matcher(request.path());
    if (!path.matches()) {
      return refused(404, "Invalid URL", "unknown_url");
    }
    String id = path.group(1);
    if (id == null) {
      String created = "conv_" + ++number;
      conversations.put(created, new LinkedHashMap<>());
      return new Reply(200, conversation(created));
    }
    Map<String, String> items = conversations.get(id);
    if (items == null) {
      return refused(404, "Conversation with id '" + id + "' not found.", "");
    }
    if (path.group(2) == null) {
      conversations.remove(id);
      return new Reply(
          200, "{\"id\":\"" + id + "\",\"object\":\"conversation.deleted\",\"deleted\":true}");
    }
    return switch (request.method()) {
      case "POST" -> create(items, request.body());
      case "DELETE" ->
          items.remove(path.group(3)) == null
              ? refused(404, "Item with id '" + path.group(3) + "' not found in conversation.", "")
              : new Reply(200, conversation(id));
      default -> list(items, request.query());
    };
  }

  private Reply create(Map<String, String> items, String body) {
    List<String> sent = Json.elements(Json.fields(body).get("items"));
    if (sent.size() > 20) {
      return refused(400, "Invalid 'items': array too long.", "array_above_max_length");
    }
    return page(sent.stream().map(item -> add(items, item)).toList(), false);
  }

  /** Adds an id at the front, as items get one, and leaves the rest of the text alone. */
  private String add(Map<String, String> items, String item) {
    String given = Json.string(Json.fields(item).get("id"));
    String id = given == null ? "item_" + ++number : given;
    String stored =
        given == null
            ? "{\"id\":\"" + id + "\"" + (item.equals("{}") ? "" : ",") + item.substring(1)
            : item;
    items.put(id, stored);
    return stored;
  }

  private static Reply list(Map<String, String> items, String query) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String pair : query.split("&", -1)) {
      int at = pair.indexOf('=');
      if (at > 0) {
        parameters.put(pair.substring(0, at), pair.substring(at + 1));
      }
    }
    int limit = Integer.parseInt(parameters.getOrDefault("limit", "20"));
    if (limit > 100 || limit < 1) {
      return refused(400, "Invalid 'limit'", "integer_above_max_value");
    }
    List<String> ids = new ArrayList<>(items.keySet());
    if (!"asc".equals(parameters.get("order"))) {
      Collections.reverse(ids);
    }
    String after = parameters.get("after");
    if (after != null) {
      ids = ids.subList(ids.indexOf(after) + 1, ids.size());
    }
    List<String> page = ids.subList(0, Math.min(limit, ids.size()));
    return page(page.stream().map(items::get).toList(), page.size() < ids.size());
  }

  private static Reply page(List<String> items, boolean more) {
    return new Reply(
        200,
        "{\"object\": \"list\", \"data\": ["
            + String.join(", ", items)
            + "], \"first_id\": "
            + Json.quote(items.isEmpty() ? "" : id(items.get(0)))
            + ", \"last_id\": "
            + Json.quote(items.isEmpty() ? "" : id(items.get(items.size() - 1)))
            + ", \"has_more\": "
            + more
            + "}");
  }

  private static String id(String item) {
    return Json.string(Json.fields(item).get("id"));
  }

  private static String conversation(String id) {
    return "{\"id\":\""
        + id
        + "\",\"object\":\"conversation\",\"created_at\":1741900000,\"metadata\":{}}";
  }

  private static Reply refused(int status, String message, String code) {
    return new Reply(status, TestServer.error(message, code));
  }
}
