package dev.clew.server.internal.responses;

import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.json.UncheckedJson;
import java.util.List;
import java.util.Map;

/** A text within an item, sent in pieces. Used by one thread. */
final class TextPart {
  enum Kind {
    OUTPUT_TEXT("output_text", "text", "output_text", "content_part", "content_index"),
    REFUSAL("refusal", "refusal", "refusal", "content_part", "content_index"),
    REASONING_TEXT("reasoning_text", "text", "reasoning_text", "content_part", "content_index"),
    SUMMARY_TEXT(
        "summary_text",
        "text",
        "reasoning_summary_text",
        "reasoning_summary_part",
        "summary_index");

    private final String type;
    private final String field;
    private final String textEvent;
    private final String partEvent;
    private final String index;

    Kind(String type, String field, String textEvent, String partEvent, String index) {
      this.type = type;
      this.field = field;
      this.textEvent = "response." + textEvent;
      this.partEvent = "response." + partEvent;
      this.index = index;
    }
  }

  private final Emitter events;
  private final Kind kind;
  private final String itemId;
  private final int outputIndex;
  private final int partIndex;
  private final StringBuilder text = new StringBuilder();
  private boolean ended;

  private TextPart(Emitter events, Kind kind, String itemId, int outputIndex, int partIndex) {
    this.events = events;
    this.kind = kind;
    this.itemId = itemId;
    this.outputIndex = outputIndex;
    this.partIndex = partIndex;
  }

  static TextPart begin(Emitter events, Kind kind, String itemId, int outputIndex, int partIndex) {
    TextPart part = new TextPart(events, kind, itemId, outputIndex, partIndex);
    events.emit(kind.partEvent + ".added", event -> part.place(event).raw("part", part.json("")));
    return part;
  }

  private JsonObject place(JsonObject event) {
    return event.put("item_id", itemId).put("output_index", outputIndex).put(kind.index, partIndex);
  }

  private String json(String value) {
    JsonObject part = new JsonObject().put("type", kind.type).put(kind.field, value);
    return logprobs(kind == Kind.OUTPUT_TEXT ? part.raw("annotations", "[]") : part).toString();
  }

  /** Clients require them for output text. */
  private JsonObject logprobs(JsonObject object) {
    return kind == Kind.OUTPUT_TEXT ? object.raw("logprobs", "[]") : object;
  }

  boolean isOpen(Kind wanted) {
    return !ended && kind == wanted;
  }

  void delta(String more) {
    text.append(more);
    events.emit(kind.textEvent + ".delta", event -> logprobs(place(event).put("delta", more)));
  }

  void end() {
    if (!ended) {
      end(json(text.toString()));
    }
  }

  /** Ends the part; sends what was not sent yet first. */
  void end(String part) {
    if (ended) {
      return;
    }
    ended = true;
    Map<String, String> fields = UncheckedJson.fields(part);
    String sent = text.toString();
    String value = Json.string(fields.get(kind.field));
    String whole = value == null ? sent : value;
    if (whole.startsWith(sent) && whole.length() > sent.length()) {
      delta(whole.substring(sent.length()));
    }
    annotations(fields.getOrDefault("annotations", "[]"));
    events.emit(kind.textEvent + ".done", event -> logprobs(place(event).put(kind.field, whole)));
    events.emit(kind.partEvent + ".done", event -> place(event).raw("part", part));
  }

  private void annotations(String array) {
    List<String> annotations = array.startsWith("[") ? UncheckedJson.elements(array) : List.of();
    for (int i = 0; i < annotations.size(); i++) {
      int number = i;
      events.emit(
          "response.output_text.annotation.added",
          event ->
              place(event)
                  .put("annotation_index", number)
                  .raw("annotation", annotations.get(number)));
    }
  }
}
