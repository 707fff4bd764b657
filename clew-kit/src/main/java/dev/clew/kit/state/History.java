package dev.clew.kit.state;

import dev.clew.Commit;
import dev.clew.Commit.RemoveItem;
import dev.clew.Commit.ReplaceItem;
import dev.clew.Commit.ReplacePrefix;
import dev.clew.Commit.ReplaceSuffix;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.json.JsonText;
import dev.clew.kit.ChangeEvents;
import dev.clew.kit.ChangeEvents.Change;
import dev.clew.kit.TextOrder;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The live entries of a session by position. Not thread-safe: used under the lock of its session.
 *
 * <p>A tree, so that all operations stay fast in a long history, without the pauses of a growing
 * array. The older part may be loaded on demand, newest first, so that the loaded part is always
 * the end of the history without a gap.
 */
public final class History {
  /** The id of an item and its position; several items may have the same id. */
  private record Carried(String id, long position) {
    static final Comparator<Carried> ORDER =
        Comparator.comparing(Carried::id, TextOrder.BY_CODE_POINT)
            .thenComparingLong(Carried::position);
  }

  private final TreeMap<Long, Entry> entries = new TreeMap<>();
  private final TreeSet<Carried> ids = new TreeSet<>(Carried.ORDER);
  private @Nullable Predicate<History> older;
  private long loadedBytes;

  /** A history without entries. */
  public History() {}

  /**
   * A history that loads its entries on demand.
   *
   * @param older {@linkplain #put adds} more of them, newest first; returns whether there may be
   *     more
   */
  public History(Predicate<History> older) {
    this.older = older;
  }

  /** About how many bytes the loaded items take. */
  public long loadedBytes() {
    return loadedBytes;
  }

  /** How many entries are loaded. */
  public int loaded() {
    return entries.size();
  }

  /** Adds an entry, or replaces the one at its position. */
  public void put(Entry entry) {
    remove(entry.position());
    entries.put(entry.position(), entry);
    entry.item().id().ifPresent(id -> ids.add(new Carried(id, entry.position())));
    loadedBytes += JsonText.utf8Length(entry.item().json());
  }

  /** Removes the entry at a position, if it is loaded. */
  public void remove(long position) {
    Entry entry = entries.remove(position);
    if (entry != null) {
      loadedBytes -= JsonText.utf8Length(entry.item().json());
      entry.item().id().ifPresent(id -> ids.remove(new Carried(id, position)));
    }
  }

  /** The entry at a position. */
  public Optional<Entry> at(long position) {
    needFrom(position);
    return Optional.ofNullable(entries.get(position));
  }

  /** The newest position. */
  public OptionalLong tail() {
    needNewest(1);
    return entries.isEmpty() ? OptionalLong.empty() : OptionalLong.of(entries.lastKey());
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

  /** The newest items, oldest first. */
  public List<Item> newestItems(int limit) {
    needNewest(limit);
    Item[] items = new Item[Math.min(limit, entries.size())];
    Iterator<Entry> backward = entries.descendingMap().values().iterator();
    for (int i = items.length - 1; i >= 0; i--) {
      items[i] = backward.next().item();
    }
    return List.of(items);
  }

  /** All entries by position, oldest first; not to be changed. */
  public NavigableMap<Long, Entry> all() {
    needAll();
    return entries;
  }

  /** The entries by position, as far as a page of this range needs them; not to be changed. */
  NavigableMap<Long, Entry> neededFor(Range range) {
    if (range.backward()) {
      int more = range.limit() == Integer.MAX_VALUE ? range.limit() : range.limit() + 1;
      needBefore(range.cursor(), more); // one more shows whether there is another page
    } else if (range.cursor().isPresent() && !range.includeCompacted()) {
      needFrom(range.cursor().getAsLong());
    } else {
      needAll();
    }
    return entries;
  }

  /** The entries by position, as far as a commit looks at them; not to be changed. */
  NavigableMap<Long, Entry> neededBy(Commit commit) {
    if (commit.step() instanceof ReplaceSuffix suffix) {
      needNewest(suffix.expected().size() + 1);
    } else if (commit.step() instanceof ReplacePrefix) {
      needAll();
    } else if (commit.step() instanceof ReplaceItem item) {
      needFrom(item.position());
    } else if (commit.step() instanceof RemoveItem item) {
      needFrom(item.position());
    }
    if (commit.expectedTail().isPresent() || commit.hasTimes()) {
      needNewest(1);
    }
    return entries;
  }

  /** The entries by position, as far as changes after a version show them; not to be changed. */
  NavigableMap<Long, Entry> neededSince(long version, List<Change> changes) {
    if (changes.stream().anyMatch(History::showsEntries)) {
      needAll();
    } else {
      needFrom(version);
    }
    return entries;
  }

  private static boolean showsEntries(Change change) {
    return change.kind().equals(ChangeEvents.EDITED) || change.kind().equals(ChangeEvents.REPLACED);
  }

  private void needNewest(int wanted) {
    needBefore(OptionalLong.empty(), wanted);
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
    if (older != null && !older.test(this)) {
      older = null;
    }
  }
}
