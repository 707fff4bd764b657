package dev.clew.adapter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Which messages of a session a list had when it was saved. Immutable. Messages that were evicted
 * from the list stay in the history.
 *
 * @param after the list has the messages after this position; empty for all
 * @param first a digest of the first of them, by which a copy of the session with other positions
 *     is recognised; empty if there was none
 * @param pins system messages that come first, by position
 * @param hidden messages after {@code after} that are not in the list
 */
record ListView(OptionalLong after, String first, List<Long> pins, List<Long> hidden) {
  /** Everything. */
  static final ListView ALL = new ListView(OptionalLong.empty(), "", List.of(), List.of());

  ListView {
    pins = List.copyOf(pins);
    hidden = List.copyOf(hidden);
  }

  boolean isAfter(long position) {
    return after.isEmpty() || position > after.getAsLong();
  }

  /**
   * What to note beside the first of some drafts.
   *
   * @param newPins which of the drafts are pinned too
   */
  Map<String, Object> note(List<Integer> newPins) {
    Map<String, Object> note = new LinkedHashMap<>();
    after.ifPresent(position -> note.put("after", position));
    if (!first.isEmpty()) {
      note.put("first", first);
    }
    if (!pins.isEmpty()) {
      note.put("pins", pins);
    }
    if (!newPins.isEmpty()) {
      note.put("new", newPins);
    }
    if (!hidden.isEmpty()) {
      note.put("hidden", hidden);
    }
    return note;
  }

  /** The view that was noted beside the entry at a position. */
  static ListView of(Map<String, Object> note, long position) {
    OptionalLong after =
        note.get("after") instanceof Long value ? OptionalLong.of(value) : OptionalLong.empty();
    List<Long> pins = numbers(note.get("pins"));
    for (long index : numbers(note.get("new"))) {
      pins.add(position + index);
    }
    String first = note.get("first") instanceof String text ? text : "";
    return new ListView(after, first, pins, numbers(note.get("hidden")));
  }

  private static List<Long> numbers(@Nullable Object value) {
    List<Long> numbers = new ArrayList<>();
    if (value instanceof List<?> list) {
      for (Object one : list) {
        if (one instanceof Long number) {
          numbers.add(number);
        }
      }
    }
    return numbers;
  }
}
