package dev.clew;

import dev.clew.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One part of a message's content or of a tool's output. Immutable; {@link #json()} is the part as
 * it was written, so an unknown part can still be passed on.
 */
public sealed interface Part {

  /** The part's type in JSON, such as {@code input_text}. */
  String type();

  /** The part as JSON text. */
  String json();

  /** Text: {@code input_text}, {@code output_text} or {@code text}. */
  record Text(String type, String text, String json) implements Part {}

  /** An image: {@code input_image} or {@code image}, by address or by file id. */
  record Image(
      String type,
      Optional<String> url,
      Optional<String> fileId,
      Optional<String> detail,
      String json)
      implements Part {}

  /** Sound: {@code input_audio} or {@code audio}, by address or as data. */
  record Audio(
      String type,
      Optional<String> url,
      Optional<String> data,
      Optional<String> format,
      Optional<String> transcript,
      String json)
      implements Part {}

  /** A file: {@code input_file}. */
  record File(
      String type,
      Optional<String> fileId,
      Optional<String> filename,
      Optional<String> url,
      String json)
      implements Part {}

  /** The model's refusal to answer: {@code refusal}. */
  record Refusal(String type, String refusal, String json) implements Part {}

  /** A part of any other type, or one that lacks what its type requires. */
  record Other(String type, String json) implements Part {}

  /** Text as a user writes it. */
  static Part inputText(String text) {
    return build("input_text", Map.of("text", text));
  }

  /** Text as a model writes it. */
  static Part outputText(String text) {
    return build("output_text", Map.of("text", text));
  }

  /** An image by address, with an optional detail of {@code high}, {@code low} or {@code auto}. */
  static Part image(String url, @Nullable String detail) {
    return build("image", fields("image_url", url, "detail", detail));
  }

  /** Sound by address, with an optional transcript. */
  static Part audio(String url, @Nullable String transcript) {
    return build("audio", fields("audio_url", url, "transcript", transcript));
  }

  /** A part from its JSON text. */
  static Part parse(String json) {
    return Parts.parse(Item.parse(json).json());
  }

  private static Map<String, String> fields(
      String a, String first, String b, @Nullable String second) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put(a, first);
    if (second != null) {
      fields.put(b, second);
    }
    return fields;
  }

  private static Part build(String type, Map<String, String> fields) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("type", type);
    all.putAll(fields);
    return Parts.parse(Json.write(all));
  }
}
