package dev.clew.agentscope;

import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.Part;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import io.agentscope.core.message.MsgRole;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a message as items, and what the items do not say. Not thread-safe.
 *
 * <p>The rest of a block is the block without what its item has, or the whole block if it has no
 * item.
 */
final class MsgBlocks {
  private static final String TYPE = "type";
  private static final String SAID = "said";
  private static final String BLOCK = "block";
  private static final String TEXT = "text";
  private static final String THINKING = "thinking";
  private static final String USE = "tool_use";
  private static final String RESULT = "tool_result";
  private static final String OUTPUT = "output";

  private final MsgRole role;
  private final List<Item> items = new ArrayList<>();
  private final List<String> message = new ArrayList<>();
  private final List<String> rests = new ArrayList<>();

  MsgBlocks(MsgRole role) {
    this.role = role;
  }

  void add(String block) {
    Map<String, String> fields = new LinkedHashMap<>(Json.fields(block));
    String type = String.valueOf(Json.string(fields.get(TYPE)));
    boolean said = say(type, fields);
    JsonObject rest = new JsonObject();
    if (said) {
      rest.put(SAID, type);
    }
    rests.add((fields.isEmpty() ? rest : rest.raw(BLOCK, object(fields))).toString());
  }

  private boolean say(String type, Map<String, String> block) {
    boolean known =
        switch (type) {
          case TEXT -> role != MsgRole.TOOL && isText(block.get(TEXT));
          case THINKING -> role == MsgRole.ASSISTANT && isText(block.get(THINKING));
          case USE -> isText(block.get("id")) && isText(block.get("name"));
          case RESULT -> isText(block.get("id"));
          default -> role == MsgRole.USER && MsgMedia.isPart(type, block);
        };
    if (!known) {
      return false;
    }
    block.remove(TYPE);
    switch (type) {
      case TEXT -> message.add(textPart(taken(block, TEXT)));
      case THINKING -> {
        endMessage();
        String summary = block("summary_text").raw(TEXT, taken(block, THINKING)).toString();
        items.add(item(block("reasoning").array("summary", List.of(summary))));
      }
      case USE -> {
        endMessage();
        String input = block.getOrDefault("input", "null");
        if (input.startsWith("{")) {
          block.remove("input");
        }
        items.add(
            Item.functionCall(
                string(taken(block, "id")),
                string(taken(block, "name")),
                input.startsWith("{") ? input : "{}"));
      }
      case RESULT -> {
        endMessage();
        items.add(result(block));
      }
      default -> message.add(MsgMedia.part(type, block));
    }
    return true;
  }

  private String textPart(String text) {
    return block(role == MsgRole.ASSISTANT ? "output_text" : "input_text")
        .raw(TEXT, text)
        .toString();
  }

  /** A single text is the output; of others there is a copy, and the block keeps them. */
  private static Item result(Map<String, String> block) {
    String id = string(taken(block, "id"));
    String raw = block.getOrDefault(OUTPUT, "[]");
    List<String> output = raw.startsWith("[") ? Json.elements(raw) : List.of();
    List<String> parts = new ArrayList<>();
    boolean plain = output.size() == 1;
    for (String one : output) {
      Map<String, String> fields = new LinkedHashMap<>(Json.fields(one));
      String type = String.valueOf(Json.string(fields.get(TYPE)));
      if (type.equals(TEXT) && isText(fields.get(TEXT))) {
        parts.add(block("input_text").raw(TEXT, taken(fields, TEXT)).toString());
        plain &= fields.size() == 1;
      } else {
        plain = false;
        if (MsgMedia.isPart(type, fields)) {
          parts.add(MsgMedia.part(type, fields));
        }
      }
    }
    if (plain) {
      block.remove(OUTPUT);
      return Item.functionCallOutput(id, string(Json.fields(parts.get(0)).get(TEXT)));
    }
    return parts.isEmpty()
        ? Item.functionCallOutput(id, "")
        : item(block("function_call_output").put("call_id", id).array(OUTPUT, parts));
  }

  private void endMessage() {
    if (!message.isEmpty()) {
      items.add(
          item(
              block("message")
                  .put(
                      "role",
                      role == MsgRole.TOOL ? "assistant" : role.name().toLowerCase(Locale.ROOT))
                  .array("content", message)));
      message.clear();
    }
  }

  /** The items of all blocks. */
  List<Item> items() {
    endMessage();
    return items;
  }

  /** For each block, whether an item says it, and what else it has. */
  List<String> rests() {
    return rests;
  }

  /** The block of a rest, with what the next of the parts and items says. */
  static String restored(String rest, Iterator<Map<String, String>> said) {
    Map<String, String> fields = Json.fields(rest);
    Map<String, String> block = inner(fields, BLOCK);
    String type = Json.string(fields.get(SAID));
    if (type == null) {
      return object(block);
    }
    Map<String, String> restored = new LinkedHashMap<>();
    restored.put(TYPE, Json.quote(type));
    restored.putAll(block);
    Map<String, String> part = said.next();
    switch (type) {
      case TEXT -> restored.put(TEXT, field(part, TEXT));
      case THINKING -> {
        String summary = Json.elements(field(part, "summary")).get(0);
        restored.put(THINKING, field(Json.fields(summary), TEXT));
      }
      case USE -> {
        restored.put("id", field(part, "call_id"));
        restored.put("name", field(part, "name"));
        restored.putIfAbsent("input", string(field(part, "arguments")));
      }
      case RESULT -> {
        restored.put("id", field(part, "call_id"));
        if (!block.containsKey(OUTPUT)) {
          String text = block(TEXT).raw(TEXT, field(part, OUTPUT)).toString();
          restored.put(OUTPUT, JsonObject.array(List.of(text)));
        }
      }
      default -> MsgMedia.restore(restored, part);
    }
    return object(restored);
  }

  /** A part that another program wrote, as a block that a message of this role may have. */
  static Optional<String> foreign(Part part, MsgRole role) {
    String text =
        part instanceof Part.Text said
            ? said.text()
            : part instanceof Part.Refusal refused ? refused.refusal() : "";
    if (!text.isEmpty()) {
      return Optional.of(block(TEXT).put(TEXT, text).toString());
    }
    return role == MsgRole.USER ? MsgMedia.foreign(part) : Optional.empty();
  }

  static JsonObject block(String type) {
    return new JsonObject().put(TYPE, type);
  }

  private static Item item(JsonObject json) {
    return Item.parse(json.toString(), ItemLimits.STORE);
  }

  static String object(Map<String, String> fields) {
    JsonObject json = new JsonObject();
    fields.forEach(json::raw);
    return json.toString();
  }

  static Map<String, String> inner(Map<String, String> fields, String name) {
    return new LinkedHashMap<>(Json.fields(fields.getOrDefault(name, "{}")));
  }

  static boolean isText(@Nullable String raw) {
    return raw != null && raw.startsWith("\"");
  }

  static String field(Map<String, String> fields, String name) {
    return Objects.requireNonNull(fields.get(name), name);
  }

  private static String taken(Map<String, String> fields, String name) {
    return Objects.requireNonNull(fields.remove(name), name);
  }

  private static String string(@Nullable String raw) {
    return Objects.requireNonNull(Json.string(raw));
  }
}
