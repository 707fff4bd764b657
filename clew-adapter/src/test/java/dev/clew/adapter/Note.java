package dev.clew.adapter;

import java.util.List;
import java.util.Map;

/**
 * A message of a framework that exists in these tests only. All notes are equal: nothing may depend
 * on it.
 */
final class Note {
  final String role;
  final String text;
  final List<Call> calls;
  final Map<String, Object> extra;

  record Call(String id, String name, String arguments) {}

  Note(String role, String text, List<Call> calls, Map<String, Object> extra) {
    this.role = role;
    this.text = text;
    this.calls = List.copyOf(calls);
    this.extra = extra;
  }

  static Note of(String role, String text) {
    return new Note(role, text, List.of(), Map.of());
  }

  static Note calling(String text, String... ids) {
    return new Note(
        "assistant",
        text,
        java.util.Arrays.stream(ids).map(id -> new Call(id, "look", "{}")).toList(),
        Map.of());
  }

  static Note result(String id, String text) {
    return new Note("tool", text, List.of(new Call(id, "", "")), Map.of());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Note;
  }

  @Override
  public int hashCode() {
    return 1;
  }

  @Override
  public String toString() {
    return role + ": " + text + calls;
  }
}
