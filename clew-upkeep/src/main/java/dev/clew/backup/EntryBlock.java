package dev.clew.backup;

import dev.clew.json.Json;
import java.util.List;

/**
 * Where some entries of a session are. Immutable. They are either all live, by position, or all
 * replaced by compactions, in the order they were taken out.
 *
 * @param at the offset of the block
 * @param lowest the lowest position in it
 * @param highest the highest position in it
 * @param compacted whether compactions replaced them
 * @param in the file: 0 is the one that says so, others as in {@link Place}
 */
record EntryBlock(long at, long lowest, long highest, boolean compacted, int in) {
  private static final int LONGEST_CHAIN = 1 << 20;

  /** The same, as a file sees it whose list has this one's so many places further on. */
  EntryBlock behind(int files) {
    return new EntryBlock(at, lowest, highest, compacted, in + files);
  }

  String text() {
    String place = "[" + at + "," + lowest + "," + highest + "," + (compacted ? 1 : 0);
    return in == 0 ? place + "]" : place + "," + in + "]";
  }

  static EntryBlock parse(String text) {
    List<String> parts = Json.elements(text);
    int in = parts.size() < 5 ? 0 : Integer.parseInt(parts.get(4));
    if (in < 0 || in > LONGEST_CHAIN) {
      throw new IllegalArgumentException("a block is in file " + in);
    }
    return new EntryBlock(
        Long.parseLong(parts.get(0)),
        Long.parseLong(parts.get(1)),
        Long.parseLong(parts.get(2)),
        parts.get(3).equals("1"),
        in);
  }
}
