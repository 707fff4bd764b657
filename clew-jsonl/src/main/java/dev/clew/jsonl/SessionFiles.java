package dev.clew.jsonl;

import dev.clew.ClewException;
import dev.clew.ClewException.StoreUnavailable;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.json.Json;
import dev.clew.kit.CommitEffect.Sequence;
import dev.clew.kit.state.ChangeLog;
import dev.clew.kit.state.SessionState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds, reads, writes and removes the files of sessions, one thread at a time for each session.
 * Thread-safe.
 */
final class SessionFiles {
  private static final Logger LOG = LoggerFactory.getLogger(SessionFiles.class);

  /** A file is not rewritten for less garbage than this. */
  private static final long MIN_GARBAGE = 64 << 10;

  private final Folders folders;
  private final Disk disk;
  private final Health health;
  private final Floor floor;
  private final SessionCache cache;
  private final Optional<Duration> timeToLive;
  private final Packing packing;
  private final Consumer<SessionInfo> onCommit;
  private final Consumer<SessionKey> onRemoval;
  private final ChangeLogs logs = new ChangeLogs();

  /** How many damaged lines of a session were logged, so that each is logged once. */
  private final Map<SessionKey, Integer> reported = new ConcurrentHashMap<>();

  /** Calls {@code onCommit} and {@code onRemoval} when a change is durable. */
  SessionFiles(
      Folders folders,
      Disk disk,
      Health health,
      SessionCache cache,
      Optional<Duration> timeToLive,
      Packing packing,
      Consumer<SessionInfo> onCommit,
      Consumer<SessionKey> onRemoval) {
    this.folders = folders;
    this.disk = disk;
    this.health = health;
    this.floor = new Floor(new SideFile(folders.own(Folders.FLOOR), disk, health));
    this.cache = cache;
    this.timeToLive = timeToLive;
    this.packing = packing;
    this.onCommit = onCommit;
    this.onRemoval = onRemoval;
  }

  /**
   * Does work on a session, unless it does not exist or has expired.
   *
   * @param whole whether the archive and damaged lines are needed
   */
  <T> Optional<T> read(SessionKey key, Instant now, boolean whole, Function<SessionFile, T> work) {
    return locked(
        key,
        all -> {
          SessionFile file = load(key, whole || all);
          if (file == null || file.hasExpired(timeToLive, now)) {
            return Optional.empty();
          }
          T result = work.apply(file);
          cache.put(key, file);
          return Optional.of(result);
        });
  }

  /** Does work on all of a session as it is on disk, without the cache. */
  <T> Optional<T> inspect(SessionKey key, Function<SessionFile, T> work) {
    return locked(
        key,
        all -> {
          try (SessionFile file = open(key, true, version -> new ChangeLog(version, false))) {
            return Optional.ofNullable(file).map(work);
          } catch (IOException e) {
            throw Health.unreadable(folders.session(key), e);
          }
        });
  }

  /** Does work that may change a session, and makes the change durable. */
  <T> T change(SessionKey key, Instant now, Function<SessionChange, T> work) {
    health.requireWritable();
    return locked(
        key,
        all -> {
          SessionChange change = new SessionChange(this, key, now, all);
          try {
            T result = work.apply(change);
            change.commit();
            return result;
          } catch (RuntimeException | Error e) {
            change.abandon();
            throw e;
          }
        });
  }

  /** Does work under the lock of a session; repeated on all of it if its end was not enough. */
  private <T> T locked(SessionKey key, Function<Boolean, T> work) {
    ReentrantLock lock = cache.lock(key);
    lock.lock();
    try {
      try {
        return work.apply(false);
      } catch (NeedsFullReplay e) {
        forget(key);
        return work.apply(true);
      }
    } finally {
      lock.unlock();
      cache.makeRoom();
    }
  }

  /** Does work under the locks of two sessions. */
  <T> T lockedBoth(SessionKey one, SessionKey two, Supplier<T> work) {
    boolean inOrder = SessionCache.number(one) <= SessionCache.number(two);
    ReentrantLock first = cache.lock(inOrder ? one : two);
    ReentrantLock second = cache.lock(inOrder ? two : one);
    first.lock();
    try {
      second.lock();
      try {
        return work.get();
      } finally {
        second.unlock();
      }
    } finally {
      first.unlock();
    }
  }

  /** The session, from memory or from its file. Called under its lock. */
  @Nullable SessionFile load(SessionKey key, boolean whole) {
    SessionFile cached = cache.get(key);
    if (cached != null && (cached.isWhole() || !whole)) {
      return cached;
    }
    cache.drop(key);
    SessionFile file = open(key, whole, version -> logs.at(key, version, false));
    if (file != null) {
      cache.put(key, file);
      report(key, file.damage());
    }
    return file;
  }

  private void report(SessionKey key, List<Damage> damage) {
    int count = damage.size();
    if (count > 0 && !Objects.equals(reported.put(key, count), count)) {
      LOG.warn(
          "session {} has {} damaged lines, at positions {}, which are skipped; see 'clew doctor'",
          key,
          count,
          damage.stream().flatMapToLong(one -> one.position().stream()).boxed().toList());
    }
  }

  private @Nullable SessionFile open(SessionKey key, boolean whole, LongFunction<ChangeLog> log) {
    Path path = folders.find(key).orElse(null);
    if (path == null) {
      return null;
    }
    try {
      Disk.File open = PackedFile.open(path, disk);
      SessionFile file = null;
      try {
        file = SessionFile.read(key, path, open, whole, log);
        return file;
      } finally {
        if (file == null) {
          open.close();
        }
      }
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw Health.unreadable(path, e);
    }
  }

  /** A new session, which is written when it is committed. */
  SessionFile create(SessionKey key) {
    Sequence sequence = floor.start();
    ChangeLog log = logs.at(key, sequence.last(), true);
    return SessionFile.create(folders.session(key), new SessionState(key, log), sequence);
  }

  /** Writes the changes of a session. */
  void commit(SessionFile file) {
    SessionKey key = file.state().key();
    inFolder(
        key.owner(),
        () -> {
          if (file.needsRewrite()) {
            rewrite(file);
            onCommit.accept(file.state().info());
            if (file.isEmptied()) {
              empty(file.path());
            }
          } else {
            if (file.isPacked()) {
              unpack(file);
            }
            file.append(disk, health);
            cache.put(key, file);
            onCommit.accept(file.state().info());
            if (file.isMostlyGarbage(MIN_GARBAGE)) {
              compact(key);
            }
          }
          return file;
        });
  }

  /** Removes the files next to one that was emptied. */
  private void empty(Path path) {
    try {
      removeBeside(path);
    } catch (StoreUnavailable e) {
      throw new StoreUnavailable(
          path + " is cleared, but the files next to it could not be removed; clear it again", e);
    }
    health.sync(path, () -> disk.syncFolder(Folders.parent(path)));
  }

  private void unpack(SessionFile file) {
    packing.unpack(file.path());
    try {
      file.unpacked(disk.open(file.path(), false));
    } catch (IOException e) {
      throw Health.unwritable(file.path(), e);
    }
  }

  private void rewrite(SessionFile file) {
    if (!file.isEmptied()) {
      quarantine(file);
    }
    file.rewrite(disk, health);
    cache.drop(file.state().key());
    if (file.isPacked()) {
      delete(Folders.packed(file.path()));
    }
  }

  private void delete(Path path) {
    try {
      disk.delete(path);
    } catch (IOException e) {
      throw Health.unwritable(path, e);
    }
  }

  private void compact(SessionKey key) {
    try {
      SessionFile file = load(key, true);
      if (file != null) {
        rewrite(file);
      }
    } catch (ClewException e) {
      LOG.warn("cannot rewrite the file of session {}; it stays longer than needed", key, e);
    }
  }

  /** Keeps the damaged lines of a file, before it is rewritten without them. */
  private void quarantine(SessionFile file) {
    if (file.damage().isEmpty()) {
      return;
    }
    SideFile aside = new SideFile(Folders.quarantine(file.path()), disk, health);
    aside.read();
    for (Damage one : file.damage()) {
      StringBuilder line = new StringBuilder("{\"type\":\"damaged\",\"data\":{\"line\":");
      line.append(
              Json.quote(
                  Base64.getEncoder()
                      .encodeToString(one.line().getBytes(StandardCharsets.ISO_8859_1))))
          .append('}');
      one.position().ifPresent(position -> line.append(",\"position\":").append(position));
      aside.append(line, true);
    }
  }

  /** Removes a session. Called under its lock. */
  void remove(SessionFile file) {
    SessionState state = file.state();
    cache.drop(state.key());
    try {
      floor.raise(state.clear(file.sequence()));
      removeFiles(file.path());
    } catch (RuntimeException e) {
      logs.drop(state.key()); // the removal is uncertain
      throw e;
    }
    reported.remove(state.key());
    onRemoval.accept(state.key());
  }

  private void removeFiles(Path path) {
    health.requireWritable();
    // The plain file takes precedence, so it goes last: no older copy may reappear.
    removeBeside(path);
    delete(path);
    delete(SideFile.temporary(path));
    health.sync(path, () -> disk.syncFolder(Folders.parent(path)));
  }

  private void removeBeside(Path path) {
    delete(Folders.packed(path));
    delete(SideFile.temporary(Folders.packed(path)));
    delete(Folders.quarantine(path));
  }

  /** Does work that replaces the file of a session, which is not open meanwhile. */
  <T> T replacing(SessionKey key, Supplier<T> work) {
    health.requireWritable();
    return locked(
        key,
        all -> {
          cache.drop(key);
          return inFolder(key.owner(), work);
        });
  }

  private <T> T inFolder(String owner, Supplier<T> work) {
    folders.lock().readLock().lock();
    try {
      folders.make(owner, health);
      return work.get();
    } finally {
      folders.lock().readLock().unlock();
    }
  }

  /** Does work that does not change a session, or on null if it does not exist. */
  <T> T peek(SessionKey key, Function<@Nullable SessionFile, T> work) {
    return locked(key, all -> work.apply(load(key, all)));
  }

  /** Drops a session whose state differs from its file. Called under its lock. */
  void discard(SessionFile file) {
    forget(file.state().key());
    SessionCache.close(file); // a new session was not cached
  }

  private void forget(SessionKey key) {
    cache.drop(key);
    logs.drop(key);
  }

  /** Drops a session from memory, so that its file is read again. */
  void unload(SessionKey key) {
    ReentrantLock lock = cache.lock(key);
    lock.lock();
    try {
      forget(key);
    } finally {
      lock.unlock();
    }
  }

  @Nullable ChangeLog log(SessionKey key) {
    return logs.get(key);
  }

  Optional<Duration> timeToLive() {
    return timeToLive;
  }
}
