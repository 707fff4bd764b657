package dev.clew.adapter;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.spi.PositionedItems;
import dev.clew.spi.RecentItems;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the newest entries of sessions, of which stores have the items at hand but not the notes:
 * what was read or written before is compared with the items and the version, and not read again.
 * Thread-safe.
 */
final class Tails {
  private static final int MOST_KEPT = 1_000;

  private final @Nullable RecentItems items;
  private volatile @Nullable Boolean cached;
  private final Recent<Tail> tails = new Recent<>(tail -> tail.entries().size());

  /** Newest entries by position, and the version of the session that had them. */
  private record Tail(List<Entry> entries, long version) {
    Tail {
      entries =
          List.copyOf(entries.subList(Math.max(0, entries.size() - MOST_KEPT), entries.size()));
    }
  }

  Tails(SessionStore store) {
    this.items = store.feature(RecentItems.class).orElse(null);
  }

  /** The newest entries; there may be none before them even if the page says so. */
  EntryPage newest(StoredSession session, int limit) {
    if (limit > MOST_KEPT || !hasThemAtHand(session.key(), limit)) {
      return session.entries(Range.latest(limit));
    }
    SessionKey key = session.key();
    Tail tail = tails.get(key);
    long version = session.info().map(SessionInfo::version).orElse(0L);
    EntryPage page = tail == null ? null : renewed(session, limit, tail, version);
    if (page == null) {
      page = session.entries(Range.latest(limit));
    }
    if (page.damaged().isEmpty()) {
      tails.put(key, new Tail(page.entries(), version));
    }
    return page;
  }

  /** Whether the store answers from a cache: then it returns the same list again. */
  @SuppressWarnings("ReferenceEquality")
  private boolean hasThemAtHand(SessionKey key, int limit) {
    Boolean known = cached;
    if (known == null && items != null) {
      PositionedItems once = items.newest(key, limit);
      if (once.size() > 0) {
        known = once.items() == items.newest(key, limit).items();
        cached = known;
      }
    }
    return Boolean.TRUE.equals(known);
  }

  /** The newest entries if they are known but for some at the end; else null. */
  private @Nullable EntryPage renewed(StoredSession session, int limit, Tail tail, long version) {
    if (items == null) {
      return null;
    }
    PositionedItems newest = items.newest(session.key(), limit);
    Map<Long, Entry> known = new HashMap<>();
    tail.entries().forEach(entry -> known.put(entry.position(), entry));
    List<Entry> entries = new ArrayList<>(newest.size());
    int first = Math.max(0, newest.size() - limit); // there may be more than were asked for
    for (int i = first; i < newest.size(); i++) {
      Entry entry = known.get(newest.position(i));
      if (entry == null || !entry.item().equals(newest.items().get(i))) {
        break;
      }
      entries.add(entry);
    }
    boolean complete = entries.size() == newest.size() - first;
    // Another version with the same items: notes have changed, or only the title.
    if (!newest.damaged().isEmpty()
        || (complete && version != tail.version())
        || (!complete && entries.isEmpty())) {
      return null;
    }
    if (!complete) {
      long last = entries.get(entries.size() - 1).position();
      EntryPage rest = session.entries(Range.after(last, MOST_KEPT));
      if (rest.hasMore() || !rest.damaged().isEmpty()) {
        return null;
      }
      entries.addAll(rest.entries());
    }
    int from = Math.max(0, entries.size() - limit);
    return new EntryPage(entries.subList(from, entries.size()), newest.size() >= limit);
  }

  /** These entries were appended. */
  void appended(SessionKey key, Receipt receipt, List<Entry> appended) {
    Tail tail = tails.get(key);
    if (tail != null) {
      List<Entry> entries = new ArrayList<>(tail.entries());
      entries.addAll(appended);
      entries.sort(Comparator.comparingLong(Entry::position)); // others may have been faster
      tails.put(key, new Tail(entries, Math.max(tail.version(), receipt.version())));
    }
  }

  void forget(SessionKey key) {
    tails.remove(key);
  }
}
