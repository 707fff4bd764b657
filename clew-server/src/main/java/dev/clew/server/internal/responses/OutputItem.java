package dev.clew.server.internal.responses;

import dev.clew.Item;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.json.UncheckedJson;
import dev.clew.server.internal.hosted.HostedItems;
import dev.clew.server.internal.responses.TextPart.Kind;
import dev.clew.server.internal.wire.WireItems;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One item of the output, from its first event to its last. Used by one thread. */
final class OutputItem {
  private static final Pattern USABLE_ID = Pattern.compile("[A-Za-z0-9_-]{1,128}");

  private final Emitter events;
  private final int index;
  private final String type;
  private final String id;
  private final Optional<String> idOfModel;
  private final Optional<String> callId;
  private final boolean summary;
  private final List<TextPart> summaryParts = new ArrayList<>();
  private final List<TextPart> contentParts = new ArrayList<>();
  private final StringBuilder arguments = new StringBuilder();
  private boolean argumentsEnded;
  private Optional<String> done = Optional.empty();

  private OutputItem(Emitter events, int index, Item begun) {
    Map<String, String> fields = UncheckedJson.fields(begun.json());
    this.events = events;
    this.index = index;
    this.type = begun.type();
    this.idOfModel = begun.id();
    this.id =
        idOfModel
            .filter(own -> USABLE_ID.matcher(own).matches())
            .orElseGet(() -> WireItems.newId(type));
    this.callId = Optional.ofNullable(Json.string(fields.get("call_id")));
    this.summary = fields.containsKey("summary") && !fields.containsKey("content");
  }

  static OutputItem begin(Emitter events, int index, Item begun) {
    OutputItem item = new OutputItem(events, index, begun);
    String json = item.begun(begun);
    events.emit(
        "response.output_item.added", event -> event.put("output_index", index).raw("item", json));
    if (item.isHosted()) {
      item.hosted("in_progress");
    }
    return item;
  }

  private String begun(Item begun) {
    Map<String, String> known = UncheckedJson.fields(begun.json());
    JsonObject out = new JsonObject().put("id", id).put("type", type);
    switch (type) {
      case "message" ->
          out.put("status", "in_progress").raw("content", "[]").put("role", "assistant");
      case "function_call" -> {
        out.put("status", "in_progress")
            .put("arguments", "")
            .raw("call_id", known.getOrDefault("call_id", "\"\""))
            .raw("name", known.getOrDefault("name", "\"\""));
        if (known.containsKey(Namespaces.TYPE)) {
          out.raw(Namespaces.TYPE, known.get(Namespaces.TYPE));
        }
      }
      case "custom_tool_call" ->
          out.put("status", "in_progress")
              .put("input", "")
              .raw("call_id", known.getOrDefault("call_id", "\"\""))
              .raw("name", known.getOrDefault("name", "\"\""));
      case "reasoning" -> out.raw("summary", "[]");
      default -> { // a call of an MCP tool and a list too
        return json(begun);
      }
    }
    return out.toString();
  }

  String type() {
    return type;
  }

  private boolean isHosted() {
    return type.equals(HostedItems.CALL) || type.equals(HostedItems.LIST);
  }

  /** Tells what has become of a call, or of a list of tools. */
  private void hosted(String what) {
    events.emit(
        "response." + type + "." + what,
        event -> event.put("item_id", id).put("output_index", index));
  }

  boolean isDone() {
    return done.isPresent();
  }

  String json() {
    return done.orElseThrow();
  }

  boolean isCall(String wanted) {
    return callId.isPresent() && callId.get().equals(wanted);
  }

  /** Whether a complete item continues this one. */
  boolean becomes(Item whole) {
    if (!whole.type().equals(type)) {
      return false;
    }
    String call = Json.string(UncheckedJson.fields(whole.json()).get("call_id"));
    if (callId.isPresent() && call != null) {
      return callId.get().equals(call);
    }
    return idOfModel.isEmpty() || whole.id().isEmpty() || idOfModel.equals(whole.id());
  }

  void text(String more) {
    part(contentParts, Kind.OUTPUT_TEXT).delta(more);
  }

  void refusal(String more) {
    part(contentParts, Kind.REFUSAL).delta(more);
  }

  void reasoning(String more) {
    part(summary ? summaryParts : contentParts, summary ? Kind.SUMMARY_TEXT : Kind.REASONING_TEXT)
        .delta(more);
  }

  private TextPart part(List<TextPart> parts, Kind kind) {
    if (!parts.isEmpty() && parts.get(parts.size() - 1).isOpen(kind)) {
      return parts.get(parts.size() - 1);
    }
    endParts();
    TextPart part = TextPart.begin(events, kind, id, index, parts.size());
    parts.add(part);
    return part;
  }

  void endParts() {
    summaryParts.forEach(TextPart::end);
    contentParts.forEach(TextPart::end);
  }

  void arguments(String more) {
    arguments.append(more);
    String event =
        switch (type) {
          case "custom_tool_call" -> "custom_tool_call_input";
          case HostedItems.CALL -> "mcp_call_arguments";
          default -> "function_call_arguments";
        };
    events.emit(
        "response." + event + ".delta",
        fields -> fields.put("item_id", id).put("output_index", index).put("delta", more));
  }

  /** Ends the item; sends what was not sent yet first. */
  void end(Item whole) {
    if (done.isPresent()) {
      return;
    }
    String json = json(whole);
    Map<String, String> fields = UncheckedJson.fields(json);
    switch (type) {
      case "message" -> parts(contentParts, fields.get("content"), Kind.OUTPUT_TEXT);
      case "reasoning" -> {
        parts(summaryParts, fields.get("summary"), Kind.SUMMARY_TEXT);
        parts(contentParts, fields.get("content"), Kind.REASONING_TEXT);
      }
      case "function_call" -> endCall(fields, "function_call_arguments", "arguments");
      case "custom_tool_call" -> endCall(fields, "custom_tool_call_input", "input");
      case HostedItems.CALL, HostedItems.LIST ->
          hosted(fields.getOrDefault("error", "null").equals("null") ? "completed" : "failed");
      default -> {
        // These come only as a whole.
      }
    }
    done = Optional.of(json);
    events.emit(
        "response.output_item.done", event -> event.put("output_index", index).raw("item", json));
  }

  private void parts(List<TextPart> sent, @Nullable String array, Kind usual) {
    List<String> whole =
        array == null || !array.startsWith("[") ? List.of() : UncheckedJson.elements(array);
    for (int i = 0; i < whole.size(); i++) {
      String json = whole.get(i);
      if (i == sent.size()) {
        boolean refusal = json.startsWith("{") && UncheckedJson.fields(json).containsKey("refusal");
        sent.add(TextPart.begin(events, refusal ? Kind.REFUSAL : usual, id, index, i));
      }
      sent.get(i).end(json);
    }
    sent.forEach(TextPart::end);
  }

  /** Ends the arguments of a call of an MCP tool, which goes on. */
  void endArguments(Item call) {
    String whole = Json.string(UncheckedJson.fields(call.json()).get("arguments"));
    endArguments(whole == null ? "" : whole);
  }

  void endArguments(String whole) {
    if (!argumentsEnded) {
      argumentsEnded = true;
      rest(whole);
      events.emit(
          "response.mcp_call_arguments.done",
          out -> out.put("item_id", id).put("output_index", index).put("arguments", whole));
    }
  }

  private void rest(String whole) {
    if (whole.startsWith(arguments.toString()) && whole.length() > arguments.length()) {
      arguments(whole.substring(arguments.length()));
    }
  }

  private void endCall(Map<String, String> fields, String event, String field) {
    String value = Json.string(fields.get(field));
    String whole = value == null ? "" : value;
    rest(whole);
    String name = Json.string(fields.get("name"));
    events.emit(
        "response." + event + ".done",
        out -> {
          out.put("item_id", id).put("output_index", index);
          return (field.equals("arguments") ? out.put("name", name) : out).put(field, whole);
        });
  }

  /** The complete item under the id it began with. */
  private String json(Item whole) {
    Map<String, String> fields = UncheckedJson.fields(WireItems.json(whole, id));
    fields.put("id", Json.quote(id));
    if (type.equals(HostedItems.CALL)) {
      fields.remove("call_id"); // ours, to find it again
    }
    return WireItems.object(fields);
  }
}
