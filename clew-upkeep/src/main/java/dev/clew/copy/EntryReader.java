package dev.clew.copy;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import java.util.List;
import java.util.OptionalLong;

/**
 * Reads a whole session page by page, oldest first. Not thread-safe.
 *
 * <p>A page has as many entries as make about two megabytes, judged by the entries seen so far, so
 * that sessions of any length and items of any size take about the same memory.
 */
public final class EntryReader {
  private static final int MOST = 2000;
  private static final long PAGE_CHARS = 2 << 20;
  private static final long LARGE_CHARS = 16 << 20;

  private final SessionStore store;
  private final SessionKey key;
  private final boolean withCompacted;
  private OptionalLong after = OptionalLong.empty();
  private int limit;
  private long largest = 1;
  private boolean more = true;

  private EntryReader(SessionStore store, SessionInfo info, boolean withCompacted) {
    this.store = store;
    this.key = info.key();
    this.withCompacted = withCompacted;
    this.limit = limit(info.bytes(), info.itemCount());
  }

  /** Of everything in a session that is about as large as the information says. */
  public static EntryReader of(SessionStore store, SessionInfo about) {
    return new EntryReader(store, about, true);
  }

  /** Of the history alone, which some stores read faster. */
  public static EntryReader ofHistory(SessionStore store, SessionInfo about) {
    return new EntryReader(store, about, false);
  }

  private int limit(long chars, long entries) {
    long average = Math.max(1, chars / Math.max(1, entries));
    return (int) Math.max(1, Math.min(MOST, Math.min(PAGE_CHARS / average, LARGE_CHARS / largest)));
  }

  /** Whether there may be another page. */
  public boolean hasMore() {
    return more;
  }

  /** The next entries; none at the end. */
  public List<Entry> next() {
    EntryPage page = store.session(key).entries(new Range(after, false, limit, withCompacted));
    List<Entry> entries = page.entries();
    more = page.hasMore() && !entries.isEmpty();
    if (more) {
      after = OptionalLong.of(entries.get(entries.size() - 1).position());
      long chars = 0;
      for (Entry entry : entries) {
        long length = entry.item().json().length();
        chars += length;
        largest = Math.max(largest, length);
      }
      limit = limit(chars, entries.size());
    }
    return entries;
  }

  /** What is left of the session. */
  public Fingerprint readAll() {
    Fingerprint all = new Fingerprint();
    while (more) {
      next().forEach(all::add);
    }
    return all;
  }
}
