package dev.clew.spi;

import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import java.util.List;

/** A backend that reads the newest items faster than {@link Backend#read}. Thread-safe. */
public interface RecentItems {
  /** The newest {@code limit} items, oldest first. */
  List<Item> items(SessionKey key, int limit);

  /** As {@link Backend#read}. */
  EntryPage read(SessionKey key, Range range);

  /** The newest items with their positions: at least {@code limit} unless there are fewer. */
  default PositionedItems newest(SessionKey key, int limit) {
    return PositionedItems.of(read(key, Range.latest(limit)));
  }

  /**
   * How many of a session's newest items are kept in memory. For as many, {@link #newest} returns
   * the same object for an item as before if neither the item nor its notes have changed, and
   * another one if they have. 0 if items are read each time.
   */
  default int atHand() {
    return 0;
  }
}
