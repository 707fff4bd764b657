package dev.clew.imports;

import dev.clew.ClewException;
import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.Role;
import dev.clew.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Collects the items of one conversation. Not thread-safe. */
final class Drafts {
  private final Losses losses;
  private final List<Draft> drafts = new ArrayList<>();

  Drafts(Losses losses) {
    this.losses = losses;
  }

  /** Something of a message cannot be imported, or not as it is. */
  void loss(String place, String reason) {
    losses.add(place, reason);
  }

  List<Draft> all() {
    return drafts;
  }

  /** A message of parts that are JSON texts; none without parts. */
  static Optional<JsonObject> message(Role role, List<String> parts) {
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new JsonObject()
                .put("type", "message")
                .put("role", role.wire())
                .array("content", parts));
  }

  /** A part for a file of which only the name is known. */
  static String file(boolean image, Optional<String> id, Optional<String> name) {
    JsonObject part = new JsonObject().put("type", image ? "input_image" : "input_file");
    id.ifPresent(known -> part.put("file_id", known));
    name.filter(unused -> !image).ifPresent(known -> part.put("filename", known));
    return part.toString();
  }

  /** A part or an item of a type that is kept as it is. */
  static JsonObject other(String type, Map<String, @Nullable Object> fields) {
    JsonObject other = new JsonObject().put("type", type);
    fields.forEach((name, value) -> other.put(name, value));
    return other;
  }

  static String text(Role role, String text) {
    return new JsonObject()
        .put("type", role == Role.ASSISTANT ? "output_text" : "input_text")
        .put("text", text)
        .toString();
  }

  static JsonObject call(String callId, String name, String arguments) {
    return new JsonObject()
        .put("type", "function_call")
        .put("call_id", callId)
        .put("name", name)
        .put("arguments", arguments);
  }

  static JsonObject result(String callId, String output) {
    return new JsonObject()
        .put("type", "function_call_output")
        .put("call_id", callId)
        .put("output", output);
  }

  /** What the model thought, as far as it showed it. */
  static JsonObject reasoning(List<String> texts) {
    return new JsonObject()
        .put("type", "reasoning")
        .array(
            "summary",
            texts.stream()
                .map(
                    text ->
                        new JsonObject().put("type", "summary_text").put("text", text).toString())
                .toList());
  }

  /** Adds an item; one that no store takes is a loss. */
  void add(String place, String json, Optional<Instant> at, Map<String, @Nullable Object> notes) {
    try {
      drafts.add(new Draft(Item.parse(json, ItemLimits.STORE), given(notes), at));
    } catch (ClewException.InvalidItem e) {
      losses.add(place, "an item that no store takes: " + e.getMessage());
    }
  }

  /** Adds items that were one message; the last of them gets the notes. */
  void addAll(
      String place,
      List<JsonObject> items,
      Optional<Instant> at,
      Map<String, @Nullable Object> notes) {
    for (int i = 0; i < items.size(); i++) {
      add(place, items.get(i).toString(), at, i == items.size() - 1 ? notes : Map.of());
    }
  }

  @SuppressWarnings("NullAway") // JSON has nulls, and notes are JSON
  private static Map<String, Object> given(Map<String, @Nullable Object> notes) {
    return new LinkedHashMap<>(notes);
  }

  /**
   * The notes of an item: the model, and what the source says of the item beyond the item itself.
   */
  static Map<String, @Nullable Object> notes(
      Optional<String> model, Map<String, @Nullable Object> rest) {
    Map<String, @Nullable Object> notes = new LinkedHashMap<>();
    model.filter(name -> !name.isEmpty()).ifPresent(name -> notes.put("model", name));
    if (!rest.isEmpty()) {
      notes.put("source", rest);
    }
    return notes;
  }
}
