package dev.clew.kit;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/** A page of entries being filled, in the direction of reading. Not thread-safe. */
public final class PageFilling {
  private final Range range;
  private final LongConsumer damage;
  private final List<Entry> entries = new ArrayList<>();
  private final List<Long> damaged = new ArrayList<>();
  private int damagedBefore; // how many of them stand before the last entry
  private boolean more;

  /**
   * An empty page.
   *
   * @param damage is called with the position of each damaged entry
   */
  public PageFilling(Range range, LongConsumer damage) {
    this.range = range;
    this.damage = damage;
  }

  /** A position before all others, in the direction of reading. */
  public long start() {
    return range.backward() ? Long.MAX_VALUE : Long.MIN_VALUE;
  }

  /** Whether an entry was added that the page has no room for. */
  public boolean isFull() {
    return more;
  }

  /** Adds an entry, unless the page is full; an empty one is damaged. */
  public void add(long position, Optional<Entry> entry) {
    if (more) {
      return;
    }
    if (entry.isEmpty()) {
      damage.accept(position);
      damaged.add(position);
    } else if (entries.size() == range.limit()) {
      more = true;
    } else {
      entries.add(entry.get());
      damagedBefore = damaged.size();
    }
  }

  /** The page. Damaged entries after its last entry belong to the next page, if there is one. */
  public EntryPage finish() {
    List<Long> unreadable = more ? damaged.subList(0, damagedBefore) : damaged;
    if (range.backward()) {
      Collections.reverse(entries);
      Collections.reverse(unreadable);
    }
    return new EntryPage(entries, more, unreadable);
  }
}
