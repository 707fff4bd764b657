package dev.clew.adapter;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.spi.PositionedItems;
import dev.clew.spi.RecentItems;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the newest entries of sessions, of which a store may have the items at hand but not the
 * notes. An entry that was read or written before is not read again as long as the store returns
 * the same object for its item, which says that its notes have not changed either. Thread-safe.
 */
final class Tails {
  private static final int MOST_KEPT = 256;

  private final Optional<RecentItems> items;

  /** Newest entries by position, with the objects that the store has for their items. */
  private final Recent<List<Entry>> tails = new Recent<>(List::size);

  /** Of many threads that find a session changed, one reads it again. */
  private final Object[] reading = new Object[16];

  Tails(SessionStore store) {
    this.items = store.feature(RecentItems.class);
    Arrays.setAll(reading, i -> new Object());
  }

  /** The newest entries; there may be none before them even if the page says so. */
  EntryPage newest(StoredSession session, int limit) {
    if (items.isEmpty() || limit > items.get().atHand()) {
      return session.entries(Range.latest(limit));
    }
    SessionKey key = session.key();
    PositionedItems newest = items.get().newest(key, limit);
    if (newest.size() == 0 && newest.damaged().isEmpty()) {
      return EntryPage.EMPTY;
    }
    EntryPage page = renewed(session, limit, newest, false);
    if (page != null) {
      return page;
    }
    synchronized (reading[Math.floorMod(key.hashCode(), reading.length)]) {
      page = renewed(session, limit, newest, true); // whoever came first may have read the rest
      return page == null ? readAgain(session, limit, newest) : page;
    }
  }

  /** The newest entries if they are known, or may be read and are but for some at the end. */
  private @Nullable EntryPage renewed(
      StoredSession session, int limit, PositionedItems newest, boolean mayRead) {
    List<Entry> known = tails.get(session.key());
    if (known == null || newest.size() == 0 || !newest.damaged().isEmpty()) {
      return null;
    }
    int first = Math.max(0, newest.size() - limit); // there may be more than were asked for
    int start = indexOf(newest.position(first), known);
    int same = 0;
    while (start >= 0
        && start + same < known.size()
        && first + same < newest.size()
        && isSame(known.get(start + same), newest, first + same)) {
      same++;
    }
    boolean complete = first + same == newest.size();
    if (same == 0 || (!complete && !mayRead)) {
      return null;
    }
    List<Entry> entries = new ArrayList<>(known.subList(start, start + same));
    if (!complete) {
      long last = entries.get(same - 1).position();
      EntryPage rest = session.entries(Range.after(last, MOST_KEPT));
      if (rest.hasMore() || !rest.damaged().isEmpty() || rest.entries().isEmpty()) {
        return null;
      }
      List<Entry> changed = atHand(rest.entries(), newest);
      entries.addAll(changed);
      tails.change(session.key(), now -> now == null ? null : joined(now, changed));
    }
    int from = Math.max(0, entries.size() - limit);
    return new EntryPage(entries.subList(from, entries.size()), newest.size() >= limit);
  }

  /** Where an entry is; if it is not there, one less than the negative of where it would be. */
  private static int indexOf(long position, List<Entry> entries) {
    int low = 0;
    int high = entries.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (entries.get(middle).position() < position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < entries.size() && entries.get(low).position() == position ? low : -1 - low;
  }

  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(Entry known, PositionedItems newest, int index) {
    return known.position() == newest.position(index) && known.item() == newest.items().get(index);
  }

  /** Reads what the store had at hand before, so what has changed since will not be the same. */
  private EntryPage readAgain(StoredSession session, int limit, PositionedItems newest) {
    EntryPage page = session.entries(Range.latest(limit));
    if (!page.damaged().isEmpty()) {
      return page;
    }
    List<Entry> entries = atHand(page.entries(), newest);
    if (!entries.isEmpty()) {
      tails.change(session.key(), known -> known == null ? entries : joined(known, entries));
    }
    return new EntryPage(entries, page.hasMore());
  }

  /** The entries with the store's own objects for their items. */
  private static List<Entry> atHand(List<Entry> entries, PositionedItems newest) {
    List<Entry> shared = new ArrayList<>(entries.size());
    int at = 0;
    for (Entry entry : entries) {
      while (at < newest.size() && newest.position(at) < entry.position()) {
        at++;
      }
      boolean equal =
          at < newest.size()
              && newest.position(at) == entry.position()
              && newest.items().get(at).equals(entry.item());
      shared.add(
          equal
              ? new Entry(
                  entry.position(), newest.items().get(at), entry.addedAt(), entry.notes(), false)
              : entry);
    }
    return shared;
  }

  /** These entries were appended. */
  void appended(SessionKey key, List<Entry> appended) {
    tails.change(key, known -> known == null ? null : joined(known, appended));
  }

  /** What is known, with these in place of what is known of their range. */
  private static List<Entry> joined(List<Entry> known, List<Entry> now) {
    int start = indexOf(now.get(0).position(), known);
    int end = indexOf(now.get(now.size() - 1).position(), known);
    List<Entry> all = new ArrayList<>(known.size() + now.size());
    all.addAll(known.subList(0, start < 0 ? -1 - start : start));
    all.addAll(now);
    all.addAll(known.subList(end < 0 ? -1 - end : end + 1, known.size()));
    return List.copyOf(all.subList(Math.max(0, all.size() - MOST_KEPT), all.size()));
  }

  void forget(SessionKey key) {
    tails.change(key, known -> null);
  }
}
