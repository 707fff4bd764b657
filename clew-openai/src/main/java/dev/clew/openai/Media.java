package dev.clew.openai;

import dev.clew.Part;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sounds and pictures on their way to a model. Stateless. */
final class Media {
  private static final Pattern DATA_URL =
      Pattern.compile("data:audio/([a-zA-Z0-9.+-]+)(?:;[^,]*)?;base64,(.+)", Pattern.DOTALL);

  private static final Pattern TEXT_URL =
      Pattern.compile("data:(?:text/[a-zA-Z0-9.+-]+|application/(?:json|xml))(?:;[^,]*)?;base64,");

  private Media() {}

  /** Sound as data, which is all the API takes: it follows no address. */
  record Sound(String data, String format) {
    String json() {
      return new JsonObject().put("data", data).put("format", format).json();
    }
  }

  /** The sound of a part, if the part holds it. */
  static Optional<Sound> sound(Part.Audio audio) {
    if (audio.data().isPresent()) {
      return Optional.of(new Sound(audio.data().get(), audio.format().orElse("wav")));
    }
    Matcher matcher = DATA_URL.matcher(audio.url().orElse(""));
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String format = matcher.group(1).equals("mpeg") ? "mp3" : matcher.group(1);
    return Optional.of(new Sound(matcher.group(2), format.equals("x-wav") ? "wav" : format));
  }

  /** What a file of text says, under its name, because few servers take files. */
  static Optional<String> text(Part.File file) {
    String data = String.valueOf(Json.string(Json.fields(file.json()).get("file_data")));
    Matcher matcher = TEXT_URL.matcher(data);
    if (!matcher.lookingAt()) {
      return Optional.empty();
    }
    try {
      byte[] bytes = Base64.getDecoder().decode(data.substring(matcher.end()));
      return Optional.of(
          mention("file", file.filename()) + "\n" + new String(bytes, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // the model's server says what is wrong with it
    }
  }

  /** The words of a sound, or at least that there was one. */
  static String describe(Part.Audio audio) {
    return audio.transcript().orElseGet(() -> mention("audio", audio.url()));
  }

  static String describe(Part.Image image) {
    return mention("image", image.url().or(image::fileId));
  }

  static String mention(String what, Optional<String> where) {
    return where
        .filter(address -> !address.startsWith("data:"))
        .map(address -> "[" + what + ": " + address + "]")
        .orElse("[" + what + "]");
  }
}
