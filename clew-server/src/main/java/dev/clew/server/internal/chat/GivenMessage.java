package dev.clew.server.internal.chat;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The user's message in a request: a string, or an array of parts with images and files. Stateless.
 * Parts are those of OpenAI's Responses API and are stored unchanged.
 */
final class GivenMessage {
  /** The limit for the body; plain text has a lower one. */
  static final int MOST_BYTES = 11 << 20;

  private static final int MOST_TEXT_BYTES = 1 << 20;
  private static final ItemLimits LIMITS = new ItemLimits(10 << 20, 200);
  private static final int MOST_PARTS = 100;

  private static final Pattern IMAGE =
      Pattern.compile("data:image/(png|jpeg|gif|webp);base64,", Pattern.CASE_INSENSITIVE);
  private static final Pattern FILE =
      Pattern.compile("data:[\\w.+-]+/[\\w.+-]+;base64,", Pattern.CASE_INSENSITIVE);

  private GivenMessage() {}

  static Item read(Fields body) {
    String raw = body.needRaw("message");
    if (raw.startsWith("[")) {
      return parts(raw);
    }
    if (raw.getBytes(StandardCharsets.UTF_8).length > MOST_TEXT_BYTES) {
      throw Problem.tooLarge("message", "The message is too long", MOST_TEXT_BYTES);
    }
    String text = Json.string(raw);
    if (text == null) {
      throw Problem.wrongType("message", "a string or an array of parts", raw);
    }
    if (text.isBlank()) {
      throw saysNothing();
    }
    return Item.user(text);
  }

  private static Problem saysNothing() {
    return Problem.invalidValue("message", "it is empty");
  }

  private static Item parts(String raw) {
    List<String> parts = Json.elements(raw);
    if (parts.size() > MOST_PARTS) {
      throw Problem.invalidValue(
          "message", "it has " + parts.size() + " parts; the limit is " + MOST_PARTS);
    }
    boolean says = false;
    for (int i = 0; i < parts.size(); i++) {
      says |= check("message[" + i + "]", parts.get(i));
    }
    if (!says) {
      throw saysNothing();
    }
    String json =
        new JsonObject()
            .put("type", "message")
            .put("role", "user")
            .array("content", parts)
            .toString();
    try {
      return Item.parse(json, LIMITS);
    } catch (ClewException.InvalidItem e) {
      throw json.length() > LIMITS.maxBytes()
          ? Problem.tooLarge(
              "message", "The message and its attachments are too large", LIMITS.maxBytes())
          : Problem.invalidValue("message", String.valueOf(e.getMessage()));
    }
  }

  /** Checks a part; returns whether it is more than blank text. */
  private static boolean check(String place, String raw) {
    Fields part = Fields.at(place, raw);
    switch (part.needText("type")) {
      case "input_text" -> {
        return !part.needText("text").isBlank();
      }
      case "input_image" -> source(part, "image_url", IMAGE, "a PNG, JPEG, GIF or WebP image");
      case "input_file" -> {
        if (part.text("file_url").isEmpty()) {
          source(part, "file_data", FILE, "a file");
        }
      }
      default ->
          throw Problem.invalidValue(
              part.path("type"),
              "supported values are 'input_text', 'input_image' and 'input_file'");
    }
    return true;
  }

  /** Checks a data URL or an address; a file that the model's provider stores has an id instead. */
  private static void source(Fields part, String name, Pattern data, String what) {
    if (!part.has(name) && part.text("file_id").isPresent()) {
      return;
    }
    String url = part.needText(name);
    String scheme = url.substring(0, Math.max(0, url.indexOf(':'))).toLowerCase(Locale.ROOT);
    if (scheme.equals("data")) {
      var start = data.matcher(url);
      if (!start.lookingAt() || !isBase64(url.substring(start.end()))) {
        throw Problem.invalidValue(
            part.path(name), "it is not " + what + " as a data URL in Base64");
      }
    } else if (!name.equals("image_url") || !(scheme.equals("https") || scheme.equals("http"))) {
      throw Problem.invalidValue(
          part.path(name), "it is neither a data URL nor an http or https address");
    }
  }

  private static boolean isBase64(String text) {
    try {
      return Base64.getDecoder().decode(text).length > 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
