package dev.clew.demo;

import java.time.LocalDateTime;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Something in a schedule, as the tools tell it. Immutable.
 *
 * @param id its name for the tools
 * @param title what it is
 * @param start when it begins, in the zone of the assistant
 * @param minutes how long it takes, if that is known
 */
record Event(String id, String title, LocalDateTime start, @Nullable Integer minutes) {

  /** The event in a tool's output, if it is one. */
  static Optional<Event> of(@Nullable Object json) {
    if (json instanceof Map<?, ?> map
        && map.get("id") instanceof String id
        && map.get("title") instanceof String title
        && map.get("start") instanceof String start) {
      @Nullable Integer minutes = map.get("minutes") instanceof Number n ? n.intValue() : null;
      try {
        return Optional.of(new Event(id, title, LocalDateTime.parse(start), minutes));
      } catch (DateTimeParseException e) {
        return Optional.empty(); // another tool of the same name
      }
    }
    return Optional.empty();
  }

  /** Whether the title has all of these words, which are in lower case. */
  boolean hasWords(String words) {
    String lower = title.toLowerCase(Locale.ROOT);
    return Arrays.stream(words.split("\\s+", -1)).allMatch(lower::contains);
  }

  Optional<LocalDateTime> end() {
    return Optional.ofNullable(minutes).map(start::plusMinutes);
  }
}
