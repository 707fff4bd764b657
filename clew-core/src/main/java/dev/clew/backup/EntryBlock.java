package dev.clew.backup;

import dev.clew.internal.Json;
import java.util.List;

/**
 * Where some entries of a session are. Immutable. They are either all live, by position, or all
 * replaced by compactions, in the order they were taken out.
 *
 * @param at the offset of the block
 * @param lowest the lowest position in it
 * @param highest the highest position in it
 * @param compacted whether compactions replaced them
 */
record EntryBlock(long at, long lowest, long highest, boolean compacted) {
  String text() {
    return "[" + at + "," + lowest + "," + highest + "," + (compacted ? 1 : 0) + "]";
  }

  static EntryBlock parse(String text) {
    List<String> parts = Json.elements(text);
    return new EntryBlock(
        Long.parseLong(parts.get(0)),
        Long.parseLong(parts.get(1)),
        Long.parseLong(parts.get(2)),
        parts.get(3).equals("1"));
  }
}
