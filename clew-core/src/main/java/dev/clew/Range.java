package dev.clew;

import java.util.OptionalLong;

/**
 * Which entries of a session to read. Immutable.
 *
 * <p>A cursor is a position; it stays valid when the item at that position is gone.
 *
 * @param cursor where to start, exclusive; empty for the beginning or the end, depending on the
 *     direction
 * @param backward whether to read from newer to older
 * @param limit how many entries at most
 * @param includeCompacted whether to include the items that compactions replaced, at their old
 *     position
 */
public record Range(OptionalLong cursor, boolean backward, int limit, boolean includeCompacted) {
  /** Checks the limit. */
  public Range {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative: " + limit);
    }
  }

  /** The newest entries. */
  public static Range latest(int limit) {
    return new Range(OptionalLong.empty(), true, limit, false);
  }

  /** The entries just before a position. */
  public static Range before(long position, int limit) {
    return new Range(OptionalLong.of(position), true, limit, false);
  }

  /** The oldest entries. */
  public static Range first(int limit) {
    return new Range(OptionalLong.empty(), false, limit, false);
  }

  /** The entries just after a position. */
  public static Range after(long position, int limit) {
    return new Range(OptionalLong.of(position), false, limit, false);
  }

  /** The same range, including compacted items. */
  public Range withCompacted() {
    return new Range(cursor, backward, limit, true);
  }
}
