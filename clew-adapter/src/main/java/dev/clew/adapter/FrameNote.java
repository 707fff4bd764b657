package dev.clew.adapter;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The note of a framework beside an item. Immutable.
 *
 * <p>{@code {"n":3,"rest":"…"}} begins a message of three items, {@code {"i":1}} is the second of
 * them. {@code raw} is the whole message as text, if the items and the rest do not give it back.
 * {@code view} says which messages a list had. Fields of newer versions are left alone.
 */
record FrameNote(Map<String, Object> fields) {
  static final String COUNT = "n";
  static final String INDEX = "i";
  static final String REST = "rest";
  static final String RAW = "raw";
  static final String VIEW = "view";

  /** What is noted for a framework; no fields if nothing is. */
  static FrameNote of(String framework, Map<String, Object> notes) {
    return new FrameNote(map(notes.get(framework)));
  }

  /** How many items the message has that begins here. */
  OptionalInt count() {
    return number(COUNT);
  }

  /** Which item of its message this is; 0 is never written. */
  OptionalInt index() {
    return number(INDEX);
  }

  Optional<String> rest() {
    return text(REST);
  }

  Optional<String> raw() {
    return text(RAW);
  }

  Optional<Map<String, Object>> view() {
    return fields.containsKey(VIEW) ? Optional.of(map(fields.get(VIEW))) : Optional.empty();
  }

  /** The notes without the view of this framework. */
  static Map<String, Object> withoutView(String framework, Map<String, Object> notes) {
    return with(framework, notes, null);
  }

  /** The notes with this view, or without one. */
  static Map<String, Object> with(
      String framework, Map<String, Object> notes, @Nullable Map<String, Object> view) {
    Map<String, Object> mine = new LinkedHashMap<>(map(notes.get(framework)));
    mine.remove(VIEW);
    if (view != null) {
      mine.put(VIEW, view);
    }
    Map<String, Object> all = new LinkedHashMap<>(notes);
    all.remove(framework);
    if (!mine.isEmpty()) {
      all.put(framework, mine);
    }
    return all;
  }

  private OptionalInt number(String name) {
    return fields.get(name) instanceof Long value && value > 0 && value < Integer.MAX_VALUE
        ? OptionalInt.of(value.intValue())
        : OptionalInt.empty();
  }

  private Optional<String> text(String name) {
    return fields.get(name) instanceof String value ? Optional.of(value) : Optional.empty();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }
}
