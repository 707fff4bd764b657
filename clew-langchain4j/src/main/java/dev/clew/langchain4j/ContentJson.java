package dev.clew.langchain4j;

import dev.clew.Part;
import dev.clew.adapter.PartMedia;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a message, as LangChain4j writes them, as parts. Stateless.
 *
 * <p>A text is its part and nothing else. Of another content that has a part, the rest has all but
 * the data; of one that has none, everything.
 */
final class ContentJson {
  private static final String TEXT = "TEXT";
  private static final String DATA = "base64Data";
  private static final String BASE64 = ";base64,";

  /** The field of each type of content that describes what it shows. */
  private static final Map<String, String> MEDIA =
      Map.of("IMAGE", "image", "AUDIO", "audio", "VIDEO", "video", "PDF", "pdfFile");

  private ContentJson() {}

  /** The parts, and what they do not say, if that is anything. */
  record Parts(List<String> parts, Optional<String> rest) {}

  static Parts write(@Nullable String contents) {
    List<String> parts = new ArrayList<>();
    List<String> rest = new ArrayList<>();
    boolean plain = true;
    for (String content : contents == null ? List.<String>of() : Json.elements(contents)) {
      Map<String, String> fields = Json.fields(content);
      if (TEXT.equals(Json.string(fields.get("type")))) {
        parts.add(Part.inputText(text(fields.get("text"))).json());
        rest.add("{}");
        continue;
      }
      plain = false;
      Optional<String> part = part(fields);
      part.ifPresent(parts::add);
      rest.add(part.isPresent() ? withoutData(fields) : content);
    }
    return new Parts(parts, plain ? Optional.empty() : Optional.of(JsonObject.array(rest)));
  }

  private static String text(@Nullable String raw) {
    String text = Json.string(raw);
    return text == null ? "" : text;
  }

  private static Optional<String> part(Map<String, String> fields) {
    String type = text(fields.get("type"));
    String described = fields.get(MEDIA.getOrDefault(type, ""));
    if (described == null) {
      return Optional.empty();
    }
    Map<String, String> media = Json.fields(described);
    String mimeType = text(media.get("mimeType"));
    String data = Json.string(media.get(DATA));
    String url = Json.string(media.get("url"));
    return switch (type) {
      case "IMAGE" ->
          address(url, data, mimeType.isEmpty() ? "image/png" : mimeType)
              .map(address -> image(address, text(fields.get("detailLevel"))));
      case "PDF" ->
          address(url, data, "application/pdf")
              .map(
                  address ->
                      new JsonObject()
                          .put("type", "input_file")
                          .put("filename", "document.pdf")
                          .put(url == null ? "file_data" : "file_url", address)
                          .toString());
      case "AUDIO" -> data == null ? Optional.empty() : audio(data, mimeType);
      default -> Optional.empty();
    };
  }

  private static Optional<String> address(
      @Nullable String url, @Nullable String data, String mimeType) {
    return url != null
        ? Optional.of(url)
        : Optional.ofNullable(data).map(text -> "data:" + mimeType + BASE64 + text);
  }

  private static String image(String address, String detail) {
    JsonObject part = new JsonObject().put("type", "input_image").put("image_url", address);
    return switch (detail) {
      case "LOW" -> part.put("detail", "low").toString();
      case "HIGH", "ULTRA_HIGH" -> part.put("detail", "high").toString();
      default -> part.put("detail", "auto").toString();
    };
  }

  private static Optional<String> audio(String data, String mimeType) {
    String format =
        switch (mimeType) {
          case "audio/mpeg", "audio/mp3" -> "mp3";
          case "audio/wav", "audio/x-wav", "audio/wave" -> "wav";
          default -> "";
        };
    return format.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new JsonObject()
                .put("type", "input_audio")
                .put("input_audio", new JsonObject().put("data", data).put("format", format))
                .toString());
  }

  private static String withoutData(Map<String, String> fields) {
    JsonObject json = new JsonObject();
    fields.forEach(
        (name, value) -> {
          if (MEDIA.containsValue(name)) {
            JsonObject media = new JsonObject();
            Map<String, String> inner = Json.fields(value);
            inner.forEach((key, raw) -> media.raw(key, key.equals(DATA) ? "true" : raw));
            json.put(name, media);
          } else {
            json.raw(name, value);
          }
        });
    return json.toString();
  }

  /** The contents of parts, as LangChain4j reads them. */
  static String read(List<Part> parts, @Nullable String rest) {
    List<String> contents = new ArrayList<>();
    Iterator<Part> next = parts.iterator();
    if (rest == null) {
      next.forEachRemaining(part -> foreign(part).ifPresent(contents::add));
      return JsonObject.array(contents);
    }
    for (String described : Json.elements(rest)) {
      Map<String, String> fields = Json.fields(described);
      if (fields.isEmpty()) {
        contents.add(textContent(next.next() instanceof Part.Text text ? text.text() : ""));
      } else {
        boolean hasPart = part(withData(fields, "")).isPresent();
        contents.add(
            hasPart ? json(withData(fields, next.hasNext() ? data(next.next()) : "")) : described);
      }
    }
    return JsonObject.array(contents);
  }

  private static String textContent(String text) {
    return new JsonObject().put("type", TEXT).put("text", text).toString();
  }

  private static String json(Map<String, String> fields) {
    JsonObject json = new JsonObject();
    fields.forEach(json::raw);
    return json.toString();
  }

  /** With the data where they were taken out. */
  private static Map<String, String> withData(Map<String, String> fields, String data) {
    Map<String, String> whole = new LinkedHashMap<>(fields);
    for (String name : MEDIA.values()) {
      whole.computeIfPresent(
          name,
          (key, value) -> {
            Map<String, String> media = new LinkedHashMap<>(Json.fields(value));
            media.computeIfPresent(DATA, (k, raw) -> raw.equals("true") ? Json.quote(data) : raw);
            return json(media);
          });
    }
    return whole;
  }

  private static String data(Part part) {
    return PartMedia.of(part).flatMap(PartMedia::base64).orElse("");
  }

  /** The content of a part that another program wrote. */
  private static Optional<String> foreign(Part part) {
    if (part instanceof Part.Text text) {
      return Optional.of(textContent(text.text()));
    }
    Optional<PartMedia> shown = PartMedia.of(part);
    if (shown.isEmpty()) {
      // The importer keeps contents that have no part as they are.
      Map<String, String> fields = Json.fields(part.json());
      return Optional.ofNullable(Json.string(fields.get("type")))
          .filter(MEDIA::containsKey)
          .map(type -> part.json());
    }
    JsonObject media = new JsonObject();
    shown
        .get()
        .base64()
        .ifPresentOrElse(
            data -> media.put(DATA, data).put("mimeType", shown.get().mimeType()),
            () -> media.put("url", shown.get().address()));
    String type =
        part instanceof Part.Image ? "IMAGE" : part instanceof Part.Audio ? "AUDIO" : "PDF";
    JsonObject content = new JsonObject().put("type", type);
    if (type.equals("IMAGE")) {
      content.put("detailLevel", "AUTO");
    }
    return Optional.of(content.put(MEDIA.getOrDefault(type, ""), media).toString());
  }
}
