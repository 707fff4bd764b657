package dev.clew.imports;

import dev.clew.Draft;
import dev.clew.SessionUpdate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One conversation of another program, in the form in which it will be stored. Immutable.
 *
 * @param id the session's id
 * @param place where it stands in the source, for messages
 * @param description title, metadata, tags and flags
 * @param drafts its items, oldest first
 */
public record Conversation(String id, String place, SessionUpdate description, List<Draft> drafts) {
  /** A longer one is a loss, because its history is written by one transaction. */
  public static final long MOST_CHARS = 128L << 20;

  /** Makes the list unmodifiable. */
  public Conversation {
    drafts = List.copyOf(drafts);
  }

  /**
   * One without a title.
   *
   * @param about what the source says of it; goes to the session's metadata
   */
  public static Conversation of(
      String format,
      String id,
      String place,
      Map<String, @Nullable Object> about,
      List<Draft> drafts) {
    return new Conversation(
        id,
        place,
        Description.of(format, id, "", Optional.empty(), Optional.empty(), about),
        drafts);
  }
}
