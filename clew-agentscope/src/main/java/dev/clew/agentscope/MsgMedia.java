package dev.clew.agentscope;

import static dev.clew.agentscope.MsgBlocks.block;
import static dev.clew.agentscope.MsgBlocks.field;
import static dev.clew.agentscope.MsgBlocks.inner;
import static dev.clew.agentscope.MsgBlocks.isText;
import static dev.clew.agentscope.MsgBlocks.object;

import dev.clew.Part;
import dev.clew.adapter.PartMedia;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Blocks with media as parts. Stateless. */
final class MsgMedia {
  private static final String SOURCE = "source";
  private static final String DATA = "data";
  private static final String URL = "url";
  private static final String BASE64 = ";base64,";

  private MsgMedia() {}

  /** Whether a part can say what the block shows. */
  static boolean isPart(String type, Map<String, String> block) {
    Map<String, String> source = inner(block, SOURCE);
    if (isText(source.get(URL))) {
      return type.equals("image") || type.equals(DATA);
    }
    boolean audio = !audioFormat(mimeType(source)).isEmpty();
    return isText(source.get(DATA))
        && (type.equals("image") || type.equals(DATA) || (type.equals("audio") && audio));
  }

  /** The part, and out of the block what the part says. */
  static String part(String type, Map<String, String> block) {
    Map<String, String> source = inner(block, SOURCE);
    String mimeType = mimeType(source);
    boolean image = type.equals("image") || mimeType.startsWith("image/");
    String url = Json.string(source.remove(URL));
    String data = Json.string(source.remove(DATA));
    block.put(SOURCE, object(source));
    if (url != null) {
      return image
          ? block("input_image").put("image_url", url).toString()
          : block("input_file").put("file_url", url).toString();
    }
    String audio = audioFormat(mimeType);
    if (!audio.isEmpty()) {
      JsonObject sound = new JsonObject().put(DATA, data).put("format", audio);
      return block("input_audio").put("input_audio", sound).toString();
    }
    String address = "data:" + (mimeType.isEmpty() ? "image/png" : mimeType) + BASE64 + data;
    if (image) {
      return block("input_image").put("image_url", address).toString();
    }
    String name = Json.string(block.get("name"));
    return block("input_file")
        .put("filename", name == null ? "file" : name)
        .put("file_data", address)
        .toString();
  }

  /** Puts back what {@link #part} took. */
  static void restore(Map<String, String> block, Map<String, String> part) {
    Map<String, String> source = inner(block, SOURCE);
    boolean address = "\"url\"".equals(source.get("type"));
    if (part.containsKey("input_audio")) {
      source.put(DATA, field(inner(part, "input_audio"), DATA));
    } else if (address) {
      source.put(URL, field(part, part.containsKey("image_url") ? "image_url" : "file_url"));
    } else {
      String url = field(part, part.containsKey("image_url") ? "image_url" : "file_data");
      String text = String.valueOf(Json.string(url));
      source.put(DATA, Json.quote(text.substring(text.indexOf(BASE64) + BASE64.length())));
    }
    block.put(SOURCE, object(source));
  }

  /** A block for what another program's part shows. */
  static Optional<String> foreign(Part part) {
    return PartMedia.of(part)
        .map(
            shown -> {
              String mimeType = shown.mimeType();
              JsonObject source =
                  shown
                      .base64()
                      .map(data -> block("base64").put("media_type", mimeType).put(DATA, data))
                      .orElseGet(
                          () -> block(URL).put(URL, shown.address()).put("mime_type", mimeType));
              String type =
                  part instanceof Part.Image
                      ? "image"
                      : part instanceof Part.Audio ? "audio" : DATA;
              JsonObject block = block(type).put(SOURCE, source);
              shown.name().ifPresent(name -> block.put("name", name));
              return block.toString();
            });
  }

  private static String mimeType(Map<String, String> source) {
    @Nullable String type = Json.string(source.get("media_type"));
    type = type == null ? Json.string(source.get("mime_type")) : type;
    return type == null ? "" : type;
  }

  private static String audioFormat(String mimeType) {
    return switch (mimeType) {
      case "audio/wav", "audio/x-wav" -> "wav";
      case "audio/mpeg", "audio/mp3" -> "mp3";
      default -> "";
    };
  }
}
