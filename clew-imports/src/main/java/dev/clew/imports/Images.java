package dev.clew.imports;

import dev.clew.imports.SourceFiles.SourceFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The image files of a source, as data URLs. Not thread-safe: made for one conversation, of which
 * all images are in memory at once.
 */
final class Images {
  /** As much of an item is taken by {@code /v1}; a store takes more. */
  static final int MOST_OF_AN_ITEM = 10 << 20;

  static final int MOST_OF_A_CONVERSATION = 64 << 20;

  /** Nothing that could be the name of another file. */
  private static final Pattern ID = Pattern.compile("file[-_][A-Za-z0-9_-]{4,100}");

  private final SourceFiles source;
  private final Losses losses;
  private long left = MOST_OF_A_CONVERSATION;

  Images(SourceFiles source, Losses losses) {
    this.source = source;
    this.losses = losses;
  }

  /**
   * The image of an id; if there is none that can be carried, that is a loss.
   *
   * @param room how many chars the item has left for it
   * @param place where it is shown
   */
  Optional<String> dataUrl(String id, long room, String place) {
    try {
      Optional<SourceFile> file = ID.matcher(id).matches() ? source.beside(id) : Optional.empty();
      if (file.isEmpty()) {
        losses.add(place, "an image, of which the export has only the name");
        return Optional.empty();
      }
      return dataUrl(file.get(), Math.max(0, Math.min(room, left)) / 4 * 3, place);
    } catch (IOException e) {
      losses.add(place, "an image that cannot be read");
      return Optional.empty();
    }
  }

  private Optional<String> dataUrl(SourceFile file, long most, String place) throws IOException {
    byte[] bytes;
    try (InputStream in = file.opening().open()) {
      bytes = in.readNBytes((int) most + 1);
    }
    if (bytes.length > most) {
      losses.add(
          place,
          String.format(
              "an image for which there is no room: an item takes %s MiB of them, a "
                  + "conversation %s MiB, as Base64",
              MOST_OF_AN_ITEM >> 20, MOST_OF_A_CONVERSATION >> 20));
      return Optional.empty();
    }
    Optional<String> type = type(bytes);
    if (type.isEmpty()) {
      losses.add(place, "an image that is no PNG, JPEG, GIF or WebP");
      return Optional.empty();
    }
    String url = "data:" + type.get() + ";base64," + Base64.getEncoder().encodeToString(bytes);
    left -= url.length();
    return Optional.of(url);
  }

  /** What a file begins with says what it is; its name may say anything. */
  private static Optional<String> type(byte[] bytes) {
    String head = new String(bytes, 0, Math.min(bytes.length, 12), StandardCharsets.ISO_8859_1);
    if (head.startsWith("\u0089PNG\r\n")) {
      return Optional.of("image/png");
    }
    if (head.startsWith("\u00ff\u00d8\u00ff")) {
      return Optional.of("image/jpeg");
    }
    if (head.startsWith("GIF8")) {
      return Optional.of("image/gif");
    }
    return head.startsWith("RIFF") && head.endsWith("WEBP")
        ? Optional.of("image/webp")
        : Optional.empty();
  }
}
