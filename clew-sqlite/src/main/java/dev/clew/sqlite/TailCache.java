package dev.clew.sqlite;

import dev.clew.Item;
import dev.clew.spi.PositionedItems;
import dev.clew.sqlite.HistoryReader.Tail;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The newest items of recently used sessions, never stale. Thread-safe.
 *
 * <p>{@code PRAGMA data_version} tells in about 2 µs whether any connection has committed since it
 * was last asked. A changed answer starts a new epoch; an entry of an older epoch is used only if
 * the version of its session, one row, is unchanged. Tried and rejected: reading the mapped {@code
 * -shm} file (closing it drops SQLite's locks), file times (too coarse), and a concurrent cache
 * (slow to load, and the pragma needs a lock anyway).
 */
final class TailCache {
  /** Longer tails are read from the file each time. */
  static final int MAX_ITEMS = 128;

  private static final int ITEM_OVERHEAD = 64;

  /** The epoch of an entry that has to be checked before it is used. */
  private static final long UNKNOWN = -1;

  private static final class Cached {
    final Tail tail;
    final long bytes;
    volatile long epoch = UNKNOWN;

    Cached(Tail tail, long bytes) {
      this.tail = tail;
      this.bytes = bytes;
    }
  }

  private final Connections connections;
  private final HistoryReader reader;
  private final SqliteErrors errors;
  private final long maxBytes;
  private final Map<String, Cached> tails = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes; // of the tails, guarded by their lock
  private final AtomicLong epoch = new AtomicLong();
  private final LongSupplier commits;
  private @Nullable Db probe;
  private long lastVersion = -1;
  private boolean probed;

  /**
   * @param commits the number of commits, for a database in memory
   */
  TailCache(
      Connections connections,
      HistoryReader reader,
      SqliteErrors errors,
      long maxBytes,
      LongSupplier commits) {
    this.connections = connections;
    this.commits = commits;
    this.reader = reader;
    this.errors = errors;
    this.maxBytes = maxBytes;
  }

  private static Cached whole(String id, Tail tail) {
    return new Cached(tail, id.length() + ITEM_OVERHEAD + bytes(tail.items()));
  }

  private static long bytes(List<Item> items) {
    long bytes = 0;
    for (Item item : items) {
      bytes += item.json().length() + ITEM_OVERHEAD;
    }
    return bytes;
  }

  /** The newest items, oldest first. */
  List<Item> items(String id, int limit, long now) {
    return newest(newest(id, limit, now).items(), limit);
  }

  /** The newest items with their positions; may be more than the limit. */
  PositionedItems newest(String id, int limit, long now) {
    if (limit == 0 || limit > MAX_ITEMS) {
      return limit == 0 ? PositionedItems.EMPTY : load(id, limit, now).placed();
    }
    Cached cached = cached(id);
    if (cached != null
        && (cached.tail.complete() || cached.tail.items().size() >= limit)
        && cached.tail.expires() > now) {
      long current = epoch();
      if (cached.epoch == current) {
        return cached.tail.placed();
      }
      if (connections.read(db -> HistoryReader.version(db, id, now)) == cached.tail.version()) {
        cached.epoch = current;
        return cached.tail.placed();
      }
    }
    Tail tail = load(id, limit, now);
    if (tail.version() > 0 && tail.placed().damaged().isEmpty()) {
      put(id, whole(id, tail));
    }
    return tail.placed();
  }

  private @Nullable Cached cached(String id) {
    synchronized (tails) {
      return tails.get(id);
    }
  }

  private void put(String id, Cached cached) {
    synchronized (tails) {
      Cached before = tails.remove(id);
      bytes -= before == null ? 0 : before.bytes;
      if (cached.bytes > maxBytes) {
        return; // it would evict all others
      }
      tails.put(id, cached);
      bytes += cached.bytes;
      Iterator<Cached> longestUnused = tails.values().iterator();
      while (bytes > maxBytes) {
        bytes -= longestUnused.next().bytes;
        longestUnused.remove();
      }
    }
  }

  private Tail load(String id, int limit, long now) {
    return connections.read(db -> reader.tail(db, id, limit, now));
  }

  private static List<Item> newest(List<Item> items, int limit) {
    int size = items.size();
    return size <= limit ? items : items.subList(size - limit, size);
  }

  /** Called after our own append, so that the next read need not go to the file. */
  void appended(String id, HistoryWriter.Appended append) {
    long version = append.after().version();
    long expires = append.after().expires();
    List<Item> items = append.items();
    if (append.before().count() == 0) {
      PositionedItems placed = joined(PositionedItems.EMPTY, append);
      put(id, whole(id, new Tail(version, expires, placed, placed.size() == items.size())));
      return;
    }
    Cached cached = cached(id);
    if (cached != null && cached.tail.version() == append.before().version()) {
      PositionedItems placed = joined(cached.tail.placed(), append);
      int dropped = cached.tail.items().size() + items.size() - placed.size();
      List<Item> old = cached.tail.items();
      long bytes =
          cached.bytes
              + bytes(items)
              - bytes(old.subList(0, Math.min(dropped, old.size())))
              - bytes(items.subList(0, Math.max(0, dropped - old.size())));
      boolean complete = cached.tail.complete() && dropped == 0;
      put(id, new Cached(new Tail(version, expires, placed, complete), bytes));
    }
  }

  /** The newest items of both. */
  private static PositionedItems joined(PositionedItems before, HistoryWriter.Appended append) {
    int all = before.size() + append.items().size();
    int kept = Math.min(all, MAX_ITEMS);
    List<Item> items = new ArrayList<>(kept);
    long[] positions = new long[kept];
    int oldest = Math.min(all - kept, before.size());
    int first = all - kept - oldest;
    items.addAll(before.items().subList(oldest, before.size()));
    items.addAll(append.items().subList(first, append.items().size()));
    for (int i = 0; i < kept; i++) {
      int index = oldest + i;
      positions[i] =
          index < before.size()
              ? before.position(index)
              : append.first() + first + index - before.size();
    }
    return new PositionedItems(Collections.unmodifiableList(items), positions);
  }

  /** A number that changes if anybody has committed since it was last asked for. */
  long epoch() {
    try {
      synchronized (this) {
        if (!probed) {
          probe = connections.extra();
          probed = true;
        }
        // In memory there is one connection, so our own count is enough.
        long version = probe == null ? commits.getAsLong() : probe.number(0, "PRAGMA data_version");
        if (version != lastVersion) {
          lastVersion = version;
          return epoch.incrementAndGet();
        }
        return epoch.get();
      }
    } catch (SQLException e) {
      closeProbe();
      throw errors.unavailable(e);
    }
  }

  void clear() {
    synchronized (tails) {
      tails.clear();
      bytes = 0;
    }
  }

  synchronized void close() {
    clear();
    closeProbe();
    probed = true; // a running read must not open another probe
  }

  private synchronized void closeProbe() {
    if (probe != null) {
      try {
        probe.close();
      } catch (SQLException e) {
        // Nothing depends on it.
      }
      probe = null;
    }
    probed = false;
  }
}
