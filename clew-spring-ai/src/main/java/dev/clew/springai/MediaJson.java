package dev.clew.springai;

import dev.clew.Part;
import dev.clew.adapter.PartMedia;
import dev.clew.json.JsonObject;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.content.Media;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.MimeType;

/** Media as parts of a message, and as JSON of their own. Stateless. */
final class MediaJson {
  private static final String BASE64 = ";base64,";

  private MediaJson() {}

  /** The part that shows it to any model; empty if there is none for its type. */
  static Optional<String> part(Media media) {
    String type = media.getMimeType().getType();
    Optional<String> address = address(media);
    if (type.equals("image")) {
      return address.map(
          url -> new JsonObject().put("type", "input_image").put("image_url", url).toString());
    }
    if (type.equals("audio") && media.getData() instanceof byte[] bytes) {
      return audioFormat(media.getMimeType()).map(format -> audio(format, bytes));
    }
    if (type.equals("audio") || type.equals("video")) {
      return Optional.empty();
    }
    boolean data = address.filter(url -> url.startsWith("data:")).isPresent();
    return address.map(
        url ->
            new JsonObject()
                .put("type", "input_file")
                .put("filename", media.getName())
                .put(data ? "file_data" : "file_url", url)
                .toString());
  }

  private static Optional<String> address(Media media) {
    if (media.getData() instanceof byte[] bytes) {
      return Optional.of(
          "data:" + media.getMimeType() + BASE64 + Base64.getEncoder().encodeToString(bytes));
    }
    String text = String.valueOf(media.getData());
    boolean address = text.startsWith("https://") || text.startsWith("http://");
    return address || text.startsWith("data:") ? Optional.of(text) : Optional.empty();
  }

  private static Optional<String> audioFormat(MimeType type) {
    return switch (type.getSubtype()) {
      case "mpeg", "mp3" -> Optional.of("mp3");
      case "wav", "x-wav", "wave" -> Optional.of("wav");
      default -> Optional.empty();
    };
  }

  private static String audio(String format, byte[] bytes) {
    return new JsonObject()
        .put("type", "input_audio")
        .put(
            "input_audio",
            new JsonObject()
                .put("data", Base64.getEncoder().encodeToString(bytes))
                .put("format", format))
        .toString();
  }

  /** Everything about it; the data only if no part has them. */
  static Map<String, @Nullable Object> write(Media media, boolean withData) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("mimeType", media.getMimeType().toString());
    json.put("id", media.getId());
    json.put("name", media.getName());
    boolean bytes = media.getData() instanceof byte[];
    if (withData && media.getData() instanceof byte[] data) {
      json.put("bytes", Base64.getEncoder().encodeToString(data));
    } else if (withData) {
      json.put("text", String.valueOf(media.getData()));
    } else {
      json.put("part", bytes ? "bytes" : "text");
    }
    return json;
  }

  /** The media of this JSON. */
  static Media read(Map<?, ?> json, @Nullable Part part) {
    MimeType type = MimeType.valueOf(String.valueOf(json.get("mimeType")));
    String name = String.valueOf(json.get("name"));
    String id = json.get("id") instanceof String text ? text : null;
    if (json.get("bytes") instanceof String bytes) {
      return media(type, id, name, bytes(bytes));
    }
    if (json.get("text") instanceof String text) {
      return media(type, id, name, text);
    }
    Optional<PartMedia> shown = part == null ? Optional.empty() : PartMedia.of(part);
    return "bytes".equals(json.get("part"))
        ? media(type, id, name, bytes(shown.flatMap(PartMedia::base64).orElseThrow()))
        : media(type, id, name, shown.map(PartMedia::address).orElse(""));
  }

  private static byte[] bytes(String base64) {
    return Base64.getDecoder().decode(base64);
  }

  /** The media of a part that another program wrote. */
  static Optional<Media> read(Part part) {
    return PartMedia.of(part)
        .map(
            shown ->
                media(
                    MimeType.valueOf(shown.mimeType()),
                    null,
                    shown.name().orElse(part instanceof Part.File ? "file" : "media"),
                    shown.base64().<Object>map(MediaJson::bytes).orElse(shown.address())));
  }

  private static Media media(MimeType type, @Nullable String id, String name, Object data) {
    Media.Builder builder = Media.builder().mimeType(type).name(name);
    if (id != null) {
      builder.id(id);
    }
    if (data instanceof byte[] bytes) {
      builder.data(new ByteArrayResource(bytes)); // the one method for bytes that 1.1 has too
    } else {
      TextData.set(builder, String.valueOf(data));
    }
    return builder.build();
  }

  /** {@code data(Object)} of Spring AI 1.1 became {@code data(String)} and others in 2.0. */
  private static final class TextData {
    private static final MethodHandle SET = find();

    private static MethodHandle find() {
      for (Class<?> type : new Class<?>[] {String.class, Object.class}) {
        try {
          return MethodHandles.publicLookup()
              .findVirtual(
                  Media.Builder.class, "data", MethodType.methodType(Media.Builder.class, type));
        } catch (ReflectiveOperationException e) {
          // the other one
        }
      }
      throw new IllegalStateException("this version of Spring AI is not supported: use 1.1 or 2.0");
    }

    static void set(Media.Builder builder, String text) {
      try {
        SET.invoke(builder, text);
      } catch (Throwable e) {
        throw new IllegalStateException("media cannot be made of text", e);
      }
    }
  }
}
