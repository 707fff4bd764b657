package dev.clew;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

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

  /**
   * Everything in the direction of reading, with pages of this size, each read when it is needed:
   * newest first if it is read backward.
   */
  public Iterable<Entry> walk(Function<Range, EntryPage> read) {
    return () -> new PageWalk<>(this, range -> range.inOrder(read.apply(range)));
  }

  private PageWalk.Page<Range, Entry> inOrder(EntryPage page) {
    List<Entry> entries = new ArrayList<>(page.entries());
    if (backward) {
      Collections.reverse(entries);
    }
    if (!page.hasMore() || entries.isEmpty()) {
      return new PageWalk.Page<>(entries, Optional.empty());
    }
    OptionalLong last = OptionalLong.of(entries.get(entries.size() - 1).position());
    return new PageWalk.Page<>(
        entries, Optional.of(new Range(last, backward, limit, includeCompacted)));
  }
}
