package dev.clew;

import dev.clew.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads {@link Part}s out of JSON text that is known to be valid. Stateless. */
final class Parts {
  private Parts() {}

  /**
   * The parts of a raw content value: a string is one text part, anything else that fits is a list.
   */
  static Optional<List<Part>> content(@Nullable String raw, String textType) {
    if (raw == null) {
      return Optional.empty();
    }
    String text = Json.string(raw);
    if (text != null) {
      return Optional.of(List.of(new Part.Text(textType, text, raw)));
    }
    if (raw.charAt(0) != '[') {
      return Optional.empty();
    }
    List<Part> parts = new ArrayList<>();
    for (String element : Json.elements(raw)) {
      parts.add(parse(element));
    }
    return Optional.of(List.copyOf(parts));
  }

  static Part parse(String json) {
    if (json.charAt(0) != '{') {
      String text = Json.string(json);
      return text == null ? new Part.Other("", json) : new Part.Text("text", text, json);
    }
    Map<String, String> fields = Json.fields(json);
    String type = Json.string(fields.get("type"));
    if (type == null) {
      return new Part.Other("", json);
    }
    return switch (type) {
      case "input_text", "output_text", "text", "summary_text", "reasoning_text" -> {
        String text = Json.string(fields.get("text"));
        yield text == null ? new Part.Other(type, json) : new Part.Text(type, text, json);
      }
      case "input_image", "image" ->
          new Part.Image(
              type,
              url(fields.get("image_url")),
              field(fields, "file_id"),
              field(fields, "detail"),
              json);
      case "input_audio", "audio" -> audio(type, fields, json);
      case "input_file" ->
          new Part.File(
              type,
              field(fields, "file_id"),
              field(fields, "filename"),
              field(fields, "file_url"),
              json);
      case "refusal" -> {
        String refusal = Json.string(fields.get("refusal"));
        yield refusal == null ? new Part.Other(type, json) : new Part.Refusal(type, refusal, json);
      }
      default -> new Part.Other(type, json);
    };
  }

  private static Part audio(String type, Map<String, String> fields, String json) {
    Map<String, String> inner = fields;
    String nested = fields.get("input_audio");
    if (nested != null && nested.charAt(0) == '{') {
      inner = Json.fields(nested);
    }
    return new Part.Audio(
        type,
        url(fields.get("audio_url")),
        field(inner, "data"),
        field(inner, "format"),
        field(fields, "transcript"),
        json);
  }

  /** An address written as a string, or as {@code {"url": …}} in the manner of Chat Completions. */
  private static Optional<String> url(@Nullable String raw) {
    if (raw != null && raw.charAt(0) == '{') {
      return field(Json.fields(raw), "url");
    }
    return Optional.ofNullable(Json.string(raw));
  }

  static Optional<String> field(Map<String, String> fields, String name) {
    return Optional.ofNullable(Json.string(fields.get(name)));
  }

  static String text(List<Part> parts) {
    StringBuilder out = new StringBuilder();
    for (Part part : parts) {
      if (part instanceof Part.Text text) {
        out.append(text.text());
      } else if (part instanceof Part.Refusal refusal) {
        out.append(refusal.refusal());
      }
    }
    return out.toString();
  }
}
