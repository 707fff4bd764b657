package dev.clew.server.internal.wire;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.StoredSession;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** Finds entries of a session. Stateless. */
public final class Entries {
  private Entries() {}

  public static Optional<Entry> newest(StoredSession session) {
    return session.entries(Range.latest(1)).entries().stream().findFirst();
  }

  public static Optional<Entry> at(StoredSession session, long position, boolean compacted) {
    Range range = Range.after(position - 1, 1);
    return session.entries(compacted ? range.withCompacted() : range).entries().stream()
        .filter(entry -> entry.position() == position)
        .findFirst();
  }

  public static Iterable<Entry> newestFirst(StoredSession session, int page) {
    return newestFirst(session::entries, OptionalLong.empty(), page);
  }

  /** The entries before a position, newest first, read a page at a time. */
  public static Iterable<Entry> newestFirst(
      Function<Range, EntryPage> read, OptionalLong before, int page) {
    return () ->
        new Iterator<>() {
          private final Deque<Entry> unread = new ArrayDeque<>();
          private OptionalLong cursor = before;
          private boolean more = true;

          @Override
          public boolean hasNext() {
            if (unread.isEmpty() && more) {
              EntryPage next = read.apply(new Range(cursor, true, page, false));
              unread.addAll(next.entries());
              more = next.hasMore() && !unread.isEmpty();
              cursor = more ? OptionalLong.of(unread.getFirst().position()) : cursor;
            }
            return !unread.isEmpty();
          }

          @Override
          public Entry next() {
            if (!hasNext()) {
              throw new NoSuchElementException();
            }
            return unread.removeLast();
          }
        };
  }
}
