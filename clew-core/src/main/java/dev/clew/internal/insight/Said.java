package dev.clew.internal.insight;

import dev.clew.Entry;
import dev.clew.SessionInfo;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When something was said: what an import noted of that, else when it was added. Stateless. Without
 * this, years of imported conversations would all have happened on the day of the import.
 */
public final class Said {
  private static final String NOTE = "created_at";

  private Said() {}

  /** When an item was said. */
  public static Instant at(Entry entry) {
    return time(entry.notes().get(NOTE), entry.addedAt());
  }

  /** When a session was begun. */
  static Instant begun(SessionInfo info) {
    return info.metadata().get("imported") instanceof Map<?, ?> about
        ? time(about.get(NOTE), info.createdAt())
        : info.createdAt();
  }

  private static Instant time(@Nullable Object note, Instant otherwise) {
    if (note instanceof String text) {
      try {
        return Instant.parse(text);
      } catch (DateTimeParseException e) {
        return otherwise;
      }
    }
    return otherwise;
  }
}
