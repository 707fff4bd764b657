package dev.clew.adk;

import dev.clew.Part;
import dev.clew.adapter.PartMedia;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Media that users send, as parts of a message. Stateless. */
final class EventMedia {
  private EventMedia() {}

  /** A part for bytes. */
  static String inline(Map<String, String> media) {
    String type = text(media, "mimeType");
    String data = text(media, "data");
    String audio =
        switch (type) {
          case "audio/wav" -> "wav";
          case "audio/mpeg", "audio/mp3" -> "mp3";
          default -> "";
        };
    if (!audio.isEmpty()) {
      return new JsonObject()
          .put("type", "input_audio")
          .put("input_audio", new JsonObject().put("data", data).put("format", audio))
          .toString();
    }
    String url = "data:" + type + ";base64," + data;
    if (type.startsWith("image/")) {
      return new JsonObject().put("type", "input_image").put("image_url", url).toString();
    }
    String name = Json.string(media.get("displayName"));
    return new JsonObject()
        .put("type", "input_file")
        .put("filename", name == null ? "file" : name)
        .put("file_data", url)
        .toString();
  }

  /** A part for an address. */
  static String file(Map<String, String> media) {
    String type = Json.string(media.get("mimeType"));
    String url = text(media, "fileUri");
    return type != null && type.startsWith("image/")
        ? new JsonObject().put("type", "input_image").put("image_url", url).toString()
        : new JsonObject().put("type", "input_file").put("file_url", url).toString();
  }

  /** The bytes of a part that {@link #inline} wrote, in Base64. */
  static String data(Map<String, String> part) {
    String audio = part.get("input_audio");
    if (audio != null) {
      return text(Json.fields(audio), "data");
    }
    String url = text(part, part.containsKey("image_url") ? "image_url" : "file_data");
    return url.substring(url.indexOf(',') + 1);
  }

  /** The address of a part that {@link #file} wrote. */
  static String address(Map<String, String> part) {
    return text(part, part.containsKey("image_url") ? "image_url" : "file_url");
  }

  /** The part of an event for what another program's part shows. */
  static Optional<String> foreign(Part part) {
    return PartMedia.of(part).map(EventMedia::part);
  }

  private static String part(PartMedia shown) {
    JsonObject media = new JsonObject().put("mimeType", shown.mimeType());
    shown.name().ifPresent(name -> media.put("displayName", name));
    Optional<String> data = shown.base64();
    return data.isPresent()
        ? new JsonObject().put(EventParts.INLINE, media.put("data", data.get())).toString()
        : new JsonObject().put(EventParts.FILE, media.put("fileUri", shown.address())).toString();
  }

  private static String text(Map<String, String> fields, String name) {
    @Nullable String text = Json.string(fields.get(name));
    return Objects.requireNonNull(text, name);
  }
}
