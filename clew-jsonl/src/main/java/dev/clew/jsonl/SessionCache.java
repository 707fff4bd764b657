package dev.clew.jsonl;

import dev.clew.SessionKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions in use, as many as there is room for, and their locks. Thread-safe.
 *
 * <p>A session is only touched under its lock, also to make room. Several sessions may share a
 * lock.
 */
final class SessionCache {
  private static final Logger LOG = LoggerFactory.getLogger(SessionCache.class);
  private static final int LOCKS = 1024;

  private record Held(SessionFile file, long weight) {}

  private final int maxSessions;
  private final long maxBytes;
  private final ReentrantLock[] locks = new ReentrantLock[LOCKS];
  private final Map<SessionKey, Held> held = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  SessionCache(int maxSessions, long maxBytes) {
    this.maxSessions = maxSessions;
    this.maxBytes = maxBytes;
    for (int i = 0; i < LOCKS; i++) {
      locks[i] = new ReentrantLock();
    }
  }

  /** The number of a session's lock; of two, the lower one is taken first. */
  static int number(SessionKey key) {
    int hash = key.hashCode();
    return (hash ^ hash >>> 16) & (LOCKS - 1);
  }

  ReentrantLock lock(SessionKey key) {
    return locks[number(key)];
  }

  synchronized @Nullable SessionFile get(SessionKey key) {
    Held found = held.get(key);
    return found == null ? null : found.file();
  }

  /** Keeps a session, or notes its new weight. */
  synchronized void put(SessionKey key, SessionFile file) {
    long weight = file.weight();
    Held before = held.put(key, new Held(file, weight));
    bytes += weight - (before == null ? 0 : before.weight());
  }

  /** Drops the least recently used sessions if there are too many. */
  void makeRoom() {
    List<SessionFile> surplus = new ArrayList<>(0);
    synchronized (this) {
      Iterator<Map.Entry<SessionKey, Held>> oldest = held.entrySet().iterator();
      while ((held.size() > maxSessions || bytes > maxBytes) && oldest.hasNext()) {
        Map.Entry<SessionKey, Held> entry = oldest.next();
        ReentrantLock lock = lock(entry.getKey());
        // A session in use stays.
        if (!lock.isHeldByCurrentThread() && lock.tryLock()) {
          surplus.add(entry.getValue().file());
          bytes -= entry.getValue().weight();
          oldest.remove();
          lock.unlock();
        }
      }
    }
    surplus.forEach(SessionCache::close);
  }

  /** Drops a session. Called under its lock. */
  void drop(SessionKey key) {
    Held found;
    synchronized (this) {
      found = held.remove(key);
      bytes -= found == null ? 0 : found.weight();
    }
    if (found != null) {
      close(found.file());
    }
  }

  static void close(SessionFile file) {
    try {
      file.close();
    } catch (IOException e) {
      LOG.warn("cannot close {}; all that was acknowledged is in it", file.path(), e);
    }
  }

  /** Drops everything. Called when nothing is in use. */
  synchronized void close() {
    held.values().forEach(one -> close(one.file()));
    held.clear();
    bytes = 0;
  }
}
