package dev.clew.imports;

import dev.clew.Draft;
import dev.clew.SessionUpdate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One conversation of another program, in the form in which it will be stored. Immutable.
 *
 * <p>An item without a time gets that of the previous one, the first that of the conversation; if
 * nothing is known, the time of the import.
 *
 * @param id the session's id
 * @param place its position in the source, for messages
 * @param description title, metadata, tags, flags and times
 * @param drafts its items, oldest first
 */
public record Conversation(String id, String place, SessionUpdate description, List<Draft> drafts) {
  /** A longer one is left out, because its history is written in one commit. */
  public static final long MOST_CHARS = 128L << 20;

  /** Gives each item a time, as far as there are some, and makes the list unmodifiable. */
  public Conversation {
    drafts = List.copyOf(dated(drafts, description.times().map(SessionUpdate.Times::createdAt)));
  }

  private static List<Draft> dated(List<Draft> drafts, Optional<Instant> made) {
    Optional<Instant> first =
        drafts.stream().flatMap(draft -> draft.addedAt().stream()).findFirst();
    Optional<Instant> begun =
        Stream.concat(made.stream(), first.stream()).min(Comparator.naturalOrder());
    if (begun.isEmpty()) {
      return drafts;
    }
    List<Draft> dated = new ArrayList<>(drafts.size());
    Instant at = begun.get();
    for (Draft draft : drafts) {
      at = draft.addedAt().orElse(at);
      dated.add(draft.at(at));
    }
    return dated;
  }

  /**
   * One without a title.
   *
   * @param created when it was made, if that is known
   * @param updated when it was last updated, if that is known
   * @param about what the source says of it; goes to the session's metadata
   */
  public static Conversation of(
      String format,
      String id,
      String place,
      Optional<Instant> created,
      Optional<Instant> updated,
      Map<String, @Nullable Object> about,
      List<Draft> drafts) {
    return new Conversation(
        id, place, Description.of(format, id, "", created, updated, about), drafts);
  }
}
