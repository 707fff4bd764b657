package dev.clew.imports;

import dev.clew.SessionUpdate;
import dev.clew.json.Json;
import dev.clew.json.JsonText;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How an imported session is described. Stateless. */
final class Description {
  private static final int LONGEST_TITLE = 500;
  private static final long MOST_BYTES = 1 << 20;

  private Description() {}

  /**
   * The title, the times, and under {@code imported} of the metadata where the session is from and
   * what else the source says of it.
   *
   * @throws BadSource if that is too much
   */
  static SessionUpdate of(
      String format,
      String sourceId,
      String title,
      Optional<Instant> created,
      Optional<Instant> updated,
      Map<String, @Nullable Object> rest) {
    Map<String, @Nullable Object> about = new LinkedHashMap<>();
    about.put("format", format);
    about.put("id", sourceId);
    String shown = title(title);
    if (!shown.equals(title)) {
      about.put("title", title);
    }
    if (!rest.isEmpty()) {
      about.put("source", rest);
    }
    long bytes = JsonText.utf8Length(Json.write(about));
    if (bytes > MOST_BYTES) {
      throw new BadSource(
          "conversation '"
              + sourceId
              + "': its title and details have "
              + bytes
              + " bytes, the limit is "
              + MOST_BYTES
              + "; shorten them");
    }
    SessionUpdate said = SessionUpdate.none().title(shown).metadata(Map.of("imported", about));
    Optional<Instant> made = created.or(() -> updated);
    return made.isEmpty() ? said : said.times(made.get(), updated.or(() -> created).get());
  }

  /** A title that every store takes: on one line, and not too long. */
  private static String title(String title) {
    StringBuilder clean = new StringBuilder();
    title
        .codePoints()
        .limit(LONGEST_TITLE)
        .map(c -> Character.isISOControl(c) || (c >= 0xD800 && c <= 0xDFFF) ? ' ' : c)
        .forEach(clean::appendCodePoint);
    return clean.toString().strip();
  }
}
