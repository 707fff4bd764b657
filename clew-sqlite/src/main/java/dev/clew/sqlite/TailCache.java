package dev.clew.sqlite;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.clew.Item;
import dev.clew.sqlite.HistoryReader.Tail;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The newest items of sessions in use, never stale. Thread-safe.
 *
 * <p>{@code PRAGMA data_version} tells in about 2 µs whether anybody, in this process or another,
 * has committed since it was last asked. Each answer that differs begins a new epoch; an entry of
 * an older epoch is used again only after its session's version, one row, was found unchanged.
 * Tried and rejected: looking at the mapped {@code -shm} file (closing it drops SQLite's locks),
 * file times (too coarse).
 */
final class TailCache {
  /** Longer tails are read from the file each time. */
  private static final int MAX_ITEMS = 128;

  private static final int ITEM_OVERHEAD = 64;

  private static final class Cached {
    final Tail tail;
    volatile long epoch;

    Cached(Tail tail, long epoch) {
      this.tail = tail;
      this.epoch = epoch;
    }
  }

  private final Connections connections;
  private final HistoryReader reader;
  private final SqliteErrors errors;
  private final Cache<String, Cached> tails;
  private final AtomicLong epoch = new AtomicLong();
  private final LongSupplier commits;
  private @Nullable Db probe;
  private long lastVersion = -1;
  private boolean probed;

  /**
   * @param commits how many commits there were, for a database in memory
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
    this.tails =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .weigher((String id, Cached cached) -> weight(id, cached.tail.items()))
            .executor(Runnable::run)
            .build();
  }

  private static int weight(String id, List<Item> items) {
    long weight = (long) id.length() + ITEM_OVERHEAD;
    for (Item item : items) {
      weight += item.json().length() + ITEM_OVERHEAD;
    }
    return (int) Math.min(weight, Integer.MAX_VALUE);
  }

  /** The newest items, oldest first. */
  List<Item> items(String id, int limit, long now) {
    if (limit == 0 || limit > MAX_ITEMS) {
      return limit == 0 ? List.of() : load(id, limit, now).items();
    }
    long current = epoch();
    Cached cached = tails.getIfPresent(id);
    if (cached != null
        && (cached.tail.complete() || cached.tail.items().size() >= limit)
        && cached.tail.expires() > now) {
      if (cached.epoch == current) {
        return newest(cached.tail.items(), limit);
      }
      if (connections.read(db -> HistoryReader.version(db, id, now)) == cached.tail.version()) {
        cached.epoch = current;
        return newest(cached.tail.items(), limit);
      }
    }
    Tail tail = load(id, limit, now);
    if (tail.version() > 0) {
      tails.put(id, new Cached(tail, current));
    }
    return tail.items();
  }

  private Tail load(String id, int limit, long now) {
    return connections.read(db -> reader.tail(db, id, limit, now));
  }

  private static List<Item> newest(List<Item> items, int limit) {
    int size = items.size();
    return size <= limit ? items : items.subList(size - limit, size);
  }

  /** After our own append, so that the next read need not go to the file. */
  void appended(String id, HistoryWriter.AppendedTo before, long version, List<Item> items) {
    if (before.countBefore() == 0) {
      List<Item> newest = newest(items, MAX_ITEMS);
      tails.put(
          id,
          new Cached(
              new Tail(version, before.expires(), List.copyOf(newest), newest == items), -1));
      return;
    }
    tails
        .asMap()
        .computeIfPresent(
            id,
            (key, cached) ->
                cached.tail.version() == before.versionBefore()
                    ? new Cached(extended(cached.tail, version, before.expires(), items), -1)
                    : cached);
  }

  private static Tail extended(Tail tail, long version, long expires, List<Item> items) {
    List<Item> all = new ArrayList<>(tail.items().size() + items.size());
    all.addAll(tail.items());
    all.addAll(items);
    List<Item> newest = newest(all, MAX_ITEMS);
    boolean complete = tail.complete() && newest == all;
    List<Item> kept = complete ? all : new ArrayList<>(newest);
    return new Tail(version, expires, Collections.unmodifiableList(kept), complete);
  }

  /** A number that differs from the last one if anybody has committed meanwhile. */
  long epoch() {
    try {
      synchronized (this) {
        if (!probed) {
          probe = connections.extra();
          probed = true;
        }
        // In memory there is one connection and so nobody else: our own count will do.
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
    tails.invalidateAll();
  }

  synchronized void close() {
    tails.invalidateAll();
    closeProbe();
    probed = true; // a read in flight must not open a probe that nobody closes
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
