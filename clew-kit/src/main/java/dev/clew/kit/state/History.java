package dev.clew.kit.state;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.json.JsonText;
import dev.clew.kit.TextOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The live entries of a session by position. Not thread-safe: used under the lock of its session.
 *
 * <p>A tree, so that appending, reading the newest and finding a position take the same time in a
 * long history as in a short one, without the pauses of a growing array.
 *
 * <p>The older part of a history may still be elsewhere: then it is loaded when it is needed,
 * newest first, so that what is here is always the end of the history without a gap.
 */
public final class History {
  /** Where the older part of a history is. */
  @FunctionalInterface
  public interface Older {
    /** {@linkplain History#load Loads} more entries, newest first; whether there may be more. */
    boolean loadInto(History history);
  }

  /** An id that an item carries and where; the same id may stand at several positions. */
  private record Carried(String id, long position) {
    static final Comparator<Carried> ORDER =
        Comparator.comparing(Carried::id, TextOrder.BY_CODE_POINT)
            .thenComparingLong(Carried::position);
  }

  private final TreeMap<Long, Entry> entries = new TreeMap<>();
  private final TreeSet<Carried> ids = new TreeSet<>(Carried.ORDER);
  private @Nullable Older older;
  private int size;
  private long bytes;
  private long loadedBytes;

  /** A history without entries. */
  public History() {}

  /** A history of that many entries and bytes, all of which are elsewhere. */
  public History(int size, long bytes, Older older) {
    this.size = size;
    this.bytes = bytes;
    this.older = older;
  }

  /** How many entries there are. */
  public int size() {
    return size;
  }

  /** About how many bytes the items take. */
  public long bytes() {
    return bytes;
  }

  /** About how many bytes the items take that are here. */
  public long loadedBytes() {
    return loadedBytes;
  }

  /** How many entries are here. */
  public int loaded() {
    return entries.size();
  }

  /** Brings an entry here that counts already. */
  public void load(Entry entry) {
    insert(entry);
  }

  /** Adds an entry, or puts it in the place of the one at its position. */
  public void put(Entry entry) {
    remove(entry.position());
    size++;
    bytes += insert(entry);
  }

  private long insert(Entry entry) {
    entries.put(entry.position(), entry);
    entry.item().id().ifPresent(id -> ids.add(new Carried(id, entry.position())));
    long length = JsonText.utf8Length(entry.item().json());
    loadedBytes += length;
    return length;
  }

  /** Takes out the entry at a position. */
  public Optional<Entry> remove(long position) {
    Entry entry = entries.remove(position);
    if (entry != null) {
      long length = JsonText.utf8Length(entry.item().json());
      size--;
      bytes -= length;
      loadedBytes -= length;
      entry.item().id().ifPresent(id -> ids.remove(new Carried(id, position)));
    }
    return Optional.ofNullable(entry);
  }

  /** The entry at a position. */
  public Optional<Entry> at(long position) {
    needFrom(position);
    return Optional.ofNullable(entries.get(position));
  }

  /** The newest position. */
  public OptionalLong tail() {
    needBefore(OptionalLong.empty(), 1);
    return entries.isEmpty() ? OptionalLong.empty() : OptionalLong.of(entries.lastKey());
  }

  /** Whether there is an entry at a position or before it. */
  boolean startsAtOrBefore(long position) {
    needFrom(position);
    return !entries.isEmpty() && entries.firstKey() <= position;
  }

  /** The newest entry whose item carries this id. */
  public Optional<Entry> find(String itemId) {
    needAll();
    Carried found = ids.floor(new Carried(itemId, Long.MAX_VALUE));
    return found != null && found.id().equals(itemId) ? at(found.position()) : Optional.empty();
  }

  /** Everything up to and including a position. */
  public List<Entry> upTo(long position) {
    needAll();
    return List.copyOf(entries.headMap(position, true).values());
  }

  /** What still stands of the positions from {@code first} to {@code last}. */
  List<Entry> between(long first, long last) {
    needFrom(first);
    return List.copyOf(entries.subMap(first, true, last, true).values());
  }

  /** The newest entries, oldest first. */
  public List<Entry> newest(int limit) {
    List<Entry> newest = new ArrayList<>(Math.min(limit, size));
    Iterator<Entry> backward = backward(OptionalLong.empty(), limit);
    while (newest.size() < limit && backward.hasNext()) {
      newest.add(backward.next());
    }
    Collections.reverse(newest);
    return newest;
  }

  /** The newest items, oldest first. */
  public List<Item> newestItems(int limit) {
    Iterator<Entry> backward = backward(OptionalLong.empty(), limit);
    Item[] items = new Item[Math.min(limit, entries.size())];
    for (int i = items.length - 1; i >= 0; i--) {
      items[i] = backward.next().item();
    }
    return List.of(items);
  }

  /** Entries after a position, oldest first. */
  public Iterator<Entry> forward(OptionalLong after) {
    if (after.isPresent()) {
      needFrom(after.getAsLong());
      return entries.tailMap(after.getAsLong(), false).values().iterator();
    }
    needAll();
    return entries.values().iterator();
  }

  /** Entries before a position, newest first; at least {@code wanted} unless there are fewer. */
  Iterator<Entry> backward(OptionalLong before, int wanted) {
    needBefore(before, wanted);
    return (before.isPresent() ? entries.headMap(before.getAsLong(), false) : entries)
        .descendingMap()
        .values()
        .iterator();
  }

  private void needAll() {
    while (older != null) {
      loadOlder();
    }
  }

  private void needFrom(long position) {
    while (older != null && (entries.isEmpty() || entries.firstKey() > position)) {
      loadOlder();
    }
  }

  private void needBefore(OptionalLong before, int wanted) {
    while (older != null && !has(before, wanted)) {
      loadOlder();
    }
  }

  private boolean has(OptionalLong before, int wanted) {
    if (before.isEmpty()) {
      return entries.size() >= wanted;
    }
    Long at = entries.lowerKey(before.getAsLong());
    int found = 0;
    while (at != null && ++found < wanted) {
      at = entries.lowerKey(at);
    }
    return found >= wanted;
  }

  private void loadOlder() {
    if (older != null && !older.loadInto(this)) {
      older = null;
      size = entries.size();
      bytes = loadedBytes;
    }
  }
}
