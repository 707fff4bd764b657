package dev.clew.kit.state;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads a page of a history, with or without its archive. Stateless: used under the lock of the
 * session.
 *
 * <p>With the archive, the order is the archived entries as they were taken out and then the live
 * ones. A cursor stands at its entry in the archive if there is one, else at its place among the
 * live entries, whether or not an entry is left there.
 */
public final class Reading {
  private Reading() {}

  /** The page a range asks for. */
  public static EntryPage page(History history, Archive archive, Range range) {
    Iterator<Entry> entries =
        range.backward() ? backward(history, archive, range) : forward(history, archive, range);
    List<Entry> page = new ArrayList<>(Math.min(range.limit(), 16));
    while (page.size() < range.limit() && entries.hasNext()) {
      page.add(entries.next());
    }
    if (range.backward()) {
      Collections.reverse(page);
    }
    return new EntryPage(page, entries.hasNext());
  }

  private static Iterator<Entry> forward(History history, Archive archive, Range range) {
    if (!range.includeCompacted()) {
      return history.forward(range.cursor());
    }
    Integer place = place(archive, range);
    if (place == null && range.cursor().isPresent()) {
      return history.forward(range.cursor());
    }
    return then(archive.forward(place == null ? -1 : place), history.forward(OptionalLong.empty()));
  }

  private static Iterator<Entry> backward(History history, Archive archive, Range range) {
    if (!range.includeCompacted()) {
      return history.backward(range.cursor(), more(range));
    }
    Integer place = place(archive, range);
    return place == null
        ? then(history.backward(range.cursor(), more(range)), archive.backward())
        : archive.backward(place);
  }

  /** One more than the page holds tells whether there is another page. */
  private static int more(Range range) {
    return range.limit() == Integer.MAX_VALUE ? Integer.MAX_VALUE : range.limit() + 1;
  }

  private static @Nullable Integer place(Archive archive, Range range) {
    return range.cursor().isPresent() ? archive.place(range.cursor().getAsLong()) : null;
  }

  private static Iterator<Entry> then(Iterator<Entry> first, Iterator<Entry> second) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return first.hasNext() || second.hasNext();
      }

      @Override
      public Entry next() {
        return first.hasNext() ? first.next() : second.next();
      }
    };
  }
}
