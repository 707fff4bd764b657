package dev.clew.memory;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.internal.JsonText;
import dev.clew.internal.TextOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The live entries of a session by position. Not thread-safe: used under {@link Guard}.
 *
 * <p>A tree, so that appending, reading the newest and finding a position take the same time in a
 * long history as in a short one, without the pauses of a growing array.
 */
final class History {
  /** An id that an item carries and where; the same id may stand at several positions. */
  private record Carried(String id, long position) {
    static final Comparator<Carried> ORDER =
        Comparator.comparing(Carried::id, TextOrder.BY_CODE_POINT)
            .thenComparingLong(Carried::position);
  }

  private final TreeMap<Long, Entry> entries = new TreeMap<>();
  private final TreeSet<Carried> ids = new TreeSet<>(Carried.ORDER);
  private long bytes;

  int size() {
    return entries.size();
  }

  /** About how many bytes the items take. */
  long bytes() {
    return bytes;
  }

  /** Adds an entry, or puts it in the place of the one at its position. */
  void put(Entry entry) {
    remove(entry.position());
    entries.put(entry.position(), entry);
    bytes += JsonText.utf8Length(entry.item().json());
    entry.item().id().ifPresent(id -> ids.add(new Carried(id, entry.position())));
  }

  Optional<Entry> remove(long position) {
    Entry entry = entries.remove(position);
    if (entry != null) {
      bytes -= JsonText.utf8Length(entry.item().json());
      entry.item().id().ifPresent(id -> ids.remove(new Carried(id, position)));
    }
    return Optional.ofNullable(entry);
  }

  Optional<Entry> at(long position) {
    return Optional.ofNullable(entries.get(position));
  }

  OptionalLong tail() {
    return entries.isEmpty() ? OptionalLong.empty() : OptionalLong.of(entries.lastKey());
  }

  /** Whether there is an entry at a position or before it. */
  boolean startsAtOrBefore(long position) {
    return !entries.isEmpty() && entries.firstKey() <= position;
  }

  /** The newest entry whose item carries this id. */
  Optional<Entry> find(String itemId) {
    Carried found = ids.floor(new Carried(itemId, Long.MAX_VALUE));
    return found != null && found.id().equals(itemId) ? at(found.position()) : Optional.empty();
  }

  /** Everything up to and including a position. */
  List<Entry> upTo(long position) {
    return List.copyOf(entries.headMap(position, true).values());
  }

  /** What still stands of the positions from {@code first} to {@code last}. */
  List<Entry> between(long first, long last) {
    return List.copyOf(entries.subMap(first, true, last, true).values());
  }

  /** The newest entries, oldest first. */
  List<Entry> newest(int limit) {
    List<Entry> newest = new ArrayList<>(Math.min(limit, entries.size()));
    Iterator<Entry> backward = backward(OptionalLong.empty());
    while (newest.size() < limit && backward.hasNext()) {
      newest.add(backward.next());
    }
    Collections.reverse(newest);
    return newest;
  }

  /** The newest items, oldest first. */
  List<Item> newestItems(int limit) {
    Item[] items = new Item[Math.min(limit, entries.size())];
    Iterator<Entry> backward = backward(OptionalLong.empty());
    for (int i = items.length - 1; i >= 0; i--) {
      items[i] = backward.next().item();
    }
    return List.of(items);
  }

  /** Entries after a position, oldest first. */
  Iterator<Entry> forward(OptionalLong after) {
    return (after.isPresent() ? entries.tailMap(after.getAsLong(), false) : entries)
        .values()
        .iterator();
  }

  /** Entries before a position, newest first. */
  Iterator<Entry> backward(OptionalLong before) {
    return (before.isPresent() ? entries.headMap(before.getAsLong(), false) : entries)
        .descendingMap()
        .values()
        .iterator();
  }
}
