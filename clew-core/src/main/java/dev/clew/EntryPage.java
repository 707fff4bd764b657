package dev.clew;

import java.util.ArrayList;
import java.util.List;

/**
 * Some entries of a session, oldest first, and whether there are more in the direction of reading.
 * Immutable. Entries that cannot be read back are left out.
 *
 * @param entries the entries, oldest first whichever way they were read
 * @param hasMore whether there is another entry in the same direction
 * @param damaged positions in this page of entries that cannot be read back
 */
public record EntryPage(List<Entry> entries, boolean hasMore, List<Long> damaged) {
  /** An empty page. */
  public static final EntryPage EMPTY = new EntryPage(List.of(), false);

  /** Makes the lists unmodifiable. */
  public EntryPage {
    entries = List.copyOf(entries);
    damaged = List.copyOf(damaged);
  }

  /** A page without damage. */
  public EntryPage(List<Entry> entries, boolean hasMore) {
    this(entries, hasMore, List.of());
  }

  /** The items of the entries. */
  public List<Item> items() {
    List<Item> items = new ArrayList<>(entries.size());
    for (Entry entry : entries) {
      items.add(entry.item());
    }
    return List.copyOf(items);
  }
}
