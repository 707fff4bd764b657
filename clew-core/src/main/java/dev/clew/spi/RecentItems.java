package dev.clew.spi;

import dev.clew.Item;
import dev.clew.SessionKey;
import java.util.List;

/** A backend that reads the newest items faster than {@link Backend#read}. Thread-safe. */
public interface RecentItems {
  /** The newest {@code limit} items, oldest first. */
  List<Item> items(SessionKey key, int limit);

  /** The newest items with their positions: at least {@code limit} unless there are fewer. */
  PositionedItems newest(SessionKey key, int limit);
}
