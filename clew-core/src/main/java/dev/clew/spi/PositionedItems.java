package dev.clew.spi;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import java.util.List;

/**
 * The newest items of a session, oldest first, with their positions. Immutable.
 *
 * <p>A store that answers from a cache returns the same list of items for as long as the history
 * does not change, see {@link RecentItems#atHand}.
 */
public final class PositionedItems {
  /** The items of an empty session. */
  public static final PositionedItems EMPTY = new PositionedItems(List.of(), new long[0]);

  private final List<Item> items;
  private final long[] positions;
  private final List<Long> damaged;

  /** Items and as many positions; neither may be changed afterwards. */
  public PositionedItems(List<Item> items, long[] positions) {
    this(items, positions, List.of());
  }

  /** The same, with the positions among them of entries that cannot be read back. */
  public PositionedItems(List<Item> items, long[] positions, List<Long> damaged) {
    if (items.size() != positions.length) {
      throw new IllegalArgumentException(
          items.size() + " items but " + positions.length + " positions");
    }
    this.items = items;
    this.positions = positions;
    this.damaged = damaged;
  }

  /** The items of a page, with their positions. */
  public static PositionedItems of(EntryPage page) {
    return new PositionedItems(
        page.items(), page.entries().stream().mapToLong(Entry::position).toArray(), page.damaged());
  }

  /** The items. */
  public List<Item> items() {
    return items;
  }

  /** Positions in this range of entries that cannot be read back. */
  public List<Long> damaged() {
    return damaged;
  }

  /** How many there are. */
  public int size() {
    return positions.length;
  }

  /** The position of the item at an index. */
  public long position(int index) {
    return positions[index];
  }
}
