package dev.clew.kit;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Pages of items and of sessions that are also bounded in bytes. Stateless. A page may end early
 * and say that there is more; a larger item comes alone.
 */
public final class BoundedPage {
  /** The limit for items or sessions in an answer. */
  public static final int MOST_BYTES = 4 << 20;

  /** The largest answer: the limit and one more item. */
  public static final int LARGEST = MOST_BYTES + (10 << 20);

  private static final int A_LITTLE = 64 << 10;

  private static final int LARGEST_STEP = 100;
  private static final int SESSIONS_STEP = 25;
  private static final int MOST_READS = 40;

  private BoundedPage() {}

  public static long estimate(SessionInfo info, int limit) {
    long average = info.bytes() / Math.max(1, info.itemCount());
    long page = A_LITTLE + 2 * average * Math.min(limit, info.itemCount());
    return Math.min(LARGEST, Math.min(info.bytes(), page));
  }

  /** Entries of a session, read at once if they are few. */
  public static EntryPage read(SessionStore store, SessionInfo info, Range range) {
    return info.bytes() <= MOST_BYTES
        ? store.session(info.key()).entries(range)
        : read(store, info.key(), range);
  }

  /** Entries of a session of any size, read in small steps. */
  public static EntryPage read(SessionStore store, SessionKey key, Range range) {
    return read(store, key, range, MOST_BYTES);
  }

  /** The same with a limit of its own. */
  public static EntryPage read(SessionStore store, SessionKey key, Range range, long mostBytes) {
    Deque<Entry> all = new ArrayDeque<>();
    long bytes = 0;
    int step = 1; // the first may have the maximum size
    OptionalLong cursor = range.cursor();
    while (true) {
      int count = Math.min(step, range.limit() - all.size());
      EntryPage page =
          store
              .session(key)
              .entries(new Range(cursor, range.backward(), count, range.includeCompacted()));
      List<Entry> next = new ArrayList<>(page.entries());
      if (range.backward()) {
        java.util.Collections.reverse(next);
      }
      for (Entry entry : next) {
        long size = entry.item().json().length();
        if (!all.isEmpty() && bytes + size > mostBytes) {
          return new EntryPage(List.copyOf(all), true);
        }
        bytes += size;
        if (range.backward()) {
          all.addFirst(entry);
        } else {
          all.addLast(entry);
        }
        cursor = OptionalLong.of(entry.position());
      }
      if (!page.hasMore() || next.isEmpty() || all.size() >= range.limit()) {
        return new EntryPage(List.copyOf(all), page.hasMore());
      }
      long average = Math.max(1, bytes / all.size());
      step = (int) Math.max(1, Math.min(LARGEST_STEP, (mostBytes - bytes) / average));
    }
  }

  /**
   * Sessions in the order of a query, which may have long metadata. Older branches are left out,
   * see {@link Family}; after a thousand of them in a row a page ends early. So are temporary
   * sessions, unless the query asks for {@link Marks#TEMPORARY}.
   */
  public static SessionPage list(SessionStore store, SessionQuery query, Optional<String> from) {
    List<SessionInfo> all = new ArrayList<>();
    long bytes = 0;
    int step = Math.min(SESSIONS_STEP, query.limit());
    Optional<String> cursor = from;
    for (int reads = 0; ; reads++) {
      SessionPage page = list(store, query, cursor, step);
      List<SessionInfo> taken = new ArrayList<>();
      int fitting = 0;
      for (SessionInfo info : page.sessions()) {
        if (isShown(info, query)) {
          bytes += size(info);
          boolean first = all.isEmpty() && taken.isEmpty();
          if (all.size() + taken.size() == query.limit() || (bytes > MOST_BYTES && !first)) {
            break;
          }
          taken.add(info);
        }
        fitting++;
      }
      if (fitting == 0) { // the cursor points to the first that did not fit, if there is one
        return new SessionPage(all, page.sessions().isEmpty() ? page.next() : cursor);
      }
      boolean cut = fitting < page.sessions().size();
      cursor = cut ? list(store, query, cursor, fitting).next() : page.next();
      all.addAll(taken);
      if (cut || cursor.isEmpty() || all.size() >= query.limit() || reads == MOST_READS) {
        return new SessionPage(all, cursor);
      }
      step = taken.size() < fitting ? SESSIONS_STEP : Math.min(step, query.limit() - all.size());
    }
  }

  private static boolean isShown(SessionInfo info, SessionQuery query) {
    return query.tag().filter(Marks.TEMPORARY::equals).isPresent()
        ? !Family.isOlder(info)
        : Family.isListed(info);
  }

  private static SessionPage list(
      SessionStore store, SessionQuery query, Optional<String> cursor, int count) {
    SessionQuery some = query.limit(count);
    return store.list(cursor.map(some::cursor).orElse(some));
  }

  /** About how large a session is in a list. */
  public static long size(SessionInfo info) {
    long size = info.title().length();
    for (var field : info.metadata().entrySet()) {
      size += field.getKey().length() + String.valueOf(field.getValue()).length();
    }
    return size;
  }
}
