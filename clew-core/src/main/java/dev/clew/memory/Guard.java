package dev.clew.memory;

import dev.clew.ClewException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * The lock over everything a {@link MemoryStore} holds, and whether the store is still open.
 * Thread-safe.
 *
 * <p>One lock for the whole store: what is done under it takes microseconds, and it makes lists,
 * forks, fences and erasure agree with the histories without any ordering of locks. Parsing,
 * validating, scoring and calling others all happen outside.
 */
final class Guard {
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private volatile boolean closed;

  <T> T read(Supplier<T> work) {
    return run(lock.readLock(), work);
  }

  <T> T write(Supplier<T> work) {
    return run(lock.writeLock(), work);
  }

  private <T> T run(Lock side, Supplier<T> work) {
    side.lock();
    try {
      requireOpen();
      return work.get();
    } finally {
      side.unlock();
    }
  }

  void requireOpen() {
    if (closed) {
      throw new ClewException.Closed("the store memory: was closed; open a new one");
    }
  }

  /** Waits for what is being done, and lets nothing else begin. */
  void close() {
    lock.writeLock().lock();
    try {
      closed = true;
    } finally {
      lock.writeLock().unlock();
    }
  }
}
