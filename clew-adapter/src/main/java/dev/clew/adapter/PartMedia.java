package dev.clew.adapter;

import dev.clew.Part;
import dev.clew.json.Json;
import java.net.URLConnection;
import java.util.Optional;

/**
 * The image, sound or file that a part of a message shows. Immutable.
 *
 * @param address where the data are, or the data themselves as a {@code data:} address
 * @param mimeType their type, as the address says it, or else as it is usual for such a part
 * @param name the name of a file
 */
public record PartMedia(String address, String mimeType, Optional<String> name) {
  private static final String DATA = "data:";
  private static final String BASE64 = ";base64,";
  private static final String ANY = "application/octet-stream";

  /** Empty if the part is no media, or if only the provider that stored them can find them. */
  public static Optional<PartMedia> of(Part part) {
    if (part instanceof Part.Image image) {
      return image.url().map(url -> at(url, "image/png", Optional.empty()));
    }
    if (part instanceof Part.Audio audio) {
      String format = audio.format().orElse("mpeg");
      String type = "audio/" + (format.equals("mp3") ? "mpeg" : format);
      return audio
          .data()
          .map(data -> DATA + type + BASE64 + data)
          .or(audio::url)
          .map(address -> at(address, type, Optional.empty()));
    }
    if (part instanceof Part.File file) {
      return Optional.ofNullable(Json.string(Json.fields(file.json()).get("file_data")))
          .or(file::url)
          .map(address -> at(address, ANY, file.filename()));
    }
    return Optional.empty();
  }

  private static PartMedia at(String address, String usual, Optional<String> name) {
    int end = address.indexOf(BASE64);
    if (address.startsWith(DATA) && end > DATA.length()) {
      return new PartMedia(address, address.substring(DATA.length(), end), name);
    }
    return new PartMedia(address, typeOf(name.orElse(address), usual), name);
  }

  private static String typeOf(String name, String usual) {
    String guess = URLConnection.guessContentTypeFromName(name.replaceFirst("[?#].*", ""));
    if (guess == null) {
      return usual;
    }
    String kind = usual.substring(0, usual.indexOf('/') + 1);
    return usual.equals(ANY) || guess.startsWith(kind) ? guess : usual;
  }

  /** The data in Base64; empty if they are elsewhere. */
  public Optional<String> base64() {
    int end = address.indexOf(BASE64);
    return address.startsWith(DATA) && end > 0
        ? Optional.of(address.substring(end + BASE64.length()))
        : Optional.empty();
  }
}
