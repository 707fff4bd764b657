package dev.clew.server.internal.wire;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.json.UncheckedJson;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Items as OpenAI's clients expect them: with an id, a type, a status, and content in parts.
 * Stateless.
 *
 * <p>The stored item does not change. An item without an id gets one from its position, which no
 * other item of the session ever has.
 */
public final class WireItems {
  private static final String COMPLETED = "\"completed\"";
  private static final int LONGEST_POSITION = 18;

  private WireItems() {}

  public static String id(Entry entry) {
    return id(entry.item(), entry.position());
  }

  public static String id(Item item, long position) {
    return item.id().orElseGet(() -> id(item.type(), position));
  }

  private static String id(String type, long position) {
    return prefix(type) + "p" + position;
  }

  public static String newId(String type) {
    return ConversationIds.random(prefix(type), 50);
  }

  /** The position in an id that was made from it. */
  static OptionalLong position(String id) {
    int mark = id.lastIndexOf("_p") + 2;
    String digits = id.substring(mark);
    boolean ours =
        mark > 2
            && !digits.isEmpty()
            && digits.length() <= LONGEST_POSITION
            && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    return ours ? OptionalLong.of(Long.parseLong(digits)) : OptionalLong.empty();
  }

  private static String prefix(String type) {
    return switch (type) {
      case "message" -> "msg_";
      case "function_call" -> "fc_";
      case "function_call_output" -> "fco_";
      case "reasoning" -> "rs_";
      case "compaction" -> "cmp_";
      case "web_search_call" -> "ws_";
      case "file_search_call" -> "fs_";
      case "image_generation_call" -> "ig_";
      case "code_interpreter_call" -> "ci_";
      case "mcp_call" -> "mcp_";
      case "mcp_list_tools" -> "mcpl_";
      case "mcp_approval_request", "mcp_approval_response" -> "mcpr_";
      case "custom_tool_call", "custom_tool_call_output" -> "ctc_";
      case "computer_call", "computer_call_output" -> "cu_";
      default -> "item_";
    };
  }

  public static String json(Entry entry) {
    return json(entry.item(), entry.position());
  }

  public static String json(Item item, long position) {
    return json(item, type -> id(type, position));
  }

  /** An item as it is returned, with this id if it has none. */
  public static String json(Item item, String id) {
    return json(item, type -> id);
  }

  private static String json(Item item, UnaryOperator<String> id) {
    Map<String, String> fields = UncheckedJson.fields(item.json());
    String type = type(fields);
    int given = fields.size();
    JsonObject added = new JsonObject();
    if (absent(fields, "id")) {
      added.put("id", id.apply(type));
      fields.remove("id");
    }
    if (absent(fields, "type")) {
      added.put("type", type);
      fields.remove("type");
    }
    if (hasStatus(type) && absent(fields, "status")) {
      added.raw("status", COMPLETED);
      fields.remove("status");
    }
    if (type.equals("reasoning") && absent(fields, "summary")) {
      added.raw("summary", "[]");
      fields.remove("summary");
    }
    for (String name : optional(type)) {
      if (absent(fields, name)) {
        fields.remove(name);
      }
    }
    boolean asItIs = fields.size() == given;
    String content = fields.get("content");
    if (type.equals("message") && content != null) {
      String shown = content(Json.string(fields.get("role")), content);
      fields.put("content", shown);
      asItIs &= shown.equals(content);
    }
    if (asItIs && given > 0) {
      return added.before(item.json());
    }
    fields.forEach(added::raw);
    return added.toString();
  }

  /** Like {@link Item#type()}, from fields that were read already. */
  private static String type(Map<String, String> fields) {
    String type = Json.string(fields.get("type"));
    if (type == null) {
      return Json.string(fields.get("role")) == null ? "" : "message";
    }
    return type;
  }

  private static boolean hasStatus(String type) {
    return type.equals("message")
        || type.equals("function_call")
        || type.equals("function_call_output");
  }

  /** Fields that some clients take as absent, but not as null. */
  private static List<String> optional(String type) {
    return switch (type) {
      case "message" -> List.of("phase");
      case "reasoning" -> List.of("content", "encrypted_content");
      default -> List.of();
    };
  }

  private static boolean absent(Map<String, String> fields, String name) {
    String value = fields.get(name);
    return value == null || value.equals("null");
  }

  private static String content(@Nullable String role, String content) {
    if (content.startsWith("\"")) {
      return "assistant".equals(role)
          ? "[{\"type\":\"output_text\",\"text\":"
              + content
              + ",\"annotations\":[],\"logprobs\":[]}]"
          : "[{\"type\":\"input_text\",\"text\":" + content + "}]";
    }
    if (!content.startsWith("[")) {
      return content;
    }
    List<String> parts = UncheckedJson.elements(content);
    boolean changed = false;
    for (int i = 0; i < parts.size(); i++) {
      String part = parts.get(i);
      if (part.startsWith("{")) {
        String shown = part(part);
        changed |= !shown.equals(part);
        parts.set(i, shown);
      }
    }
    return changed ? JsonObject.array(parts) : content;
  }

  /** A part with the fields that strict clients require. */
  private static String part(String part) {
    Map<String, String> fields = UncheckedJson.fields(part);
    String type = Json.string(fields.get("type"));
    if ("output_text".equals(type)) {
      given(fields, "annotations", "[]");
      given(fields, "logprobs", "[]");
    } else if ("input_image".equals(type)) {
      given(fields, "detail", "\"auto\"");
    } else {
      return part;
    }
    return object(fields);
  }

  private static void given(Map<String, String> fields, String name, String otherwise) {
    if (absent(fields, name)) {
      fields.put(name, otherwise);
    }
  }

  /** A JSON object of fields that are JSON text. */
  public static String object(Map<String, String> fields) {
    JsonObject out = new JsonObject();
    fields.forEach(out::raw);
    return out.toString();
  }
}
