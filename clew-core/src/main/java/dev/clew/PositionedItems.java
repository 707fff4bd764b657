package dev.clew;

import java.util.List;

/**
 * The newest items of a session, oldest first, with their positions. Immutable.
 *
 * <p>A store that answers from a cache returns the same list of items for as long as the history
 * does not change.
 */
public final class PositionedItems {
  /** Of a session without items. */
  public static final PositionedItems EMPTY = new PositionedItems(List.of(), new long[0]);

  private final List<Item> items;
  private final long[] positions;

  /** Items and as many positions; neither may be changed afterwards. */
  public PositionedItems(List<Item> items, long[] positions) {
    if (items.size() != positions.length) {
      throw new IllegalArgumentException(
          items.size() + " items but " + positions.length + " positions");
    }
    this.items = items;
    this.positions = positions;
  }

  /** The items of a page, with their positions. */
  public static PositionedItems of(EntryPage page) {
    return new PositionedItems(
        page.items(), page.entries().stream().mapToLong(Entry::position).toArray());
  }

  /** The items. */
  public List<Item> items() {
    return items;
  }

  /** How many there are. */
  public int size() {
    return positions.length;
  }

  /** Where the item at an index stands. */
  public long position(int index) {
    return positions[index];
  }
}
