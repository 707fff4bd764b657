package dev.clew.kit.state;

import dev.clew.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What replacements took out of a history, in the order it was taken out. Not thread-safe: used
 * under the lock of its session.
 */
public final class Archive {
  private final List<Entry> entries = new ArrayList<>();
  private final Map<Long, Integer> places = new HashMap<>();

  /** Adds what was replaced. */
  public void add(List<Entry> replaced) {
    for (Entry entry : replaced) {
      places.put(entry.position(), entries.size());
      entries.add(new Entry(entry.position(), entry.item(), entry.addedAt(), entry.notes(), true));
    }
  }

  /** Drops everything. */
  void clear() {
    entries.clear();
    places.clear();
  }

  /** The entry's place, or null when none of that position is here. */
  @Nullable Integer place(long position) {
    return places.get(position);
  }

  /** Entries after a place, oldest first. */
  public Iterator<Entry> forward(int after) {
    return entries.listIterator(after + 1);
  }

  /** All entries, newest first. */
  Iterator<Entry> backward() {
    return backward(entries.size());
  }

  /** Entries before a place, newest first. */
  Iterator<Entry> backward(int before) {
    ListIterator<Entry> at = entries.listIterator(before);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return at.hasPrevious();
      }

      @Override
      public Entry next() {
        return at.previous();
      }
    };
  }
}
