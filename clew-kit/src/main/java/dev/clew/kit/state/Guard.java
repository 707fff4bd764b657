package dev.clew.kit.state;

import dev.clew.ClewException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/** A lock over a part of a store, and whether the store is open. Thread-safe. */
public final class Guard {
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final String name;
  private volatile boolean closed;

  /** The guard of a store, open. */
  public Guard(String name) {
    this.name = name;
  }

  /** Does work that changes nothing. */
  public <T> T read(Supplier<T> work) {
    return run(lock.readLock(), work);
  }

  /** Does work that may change something. */
  public <T> T write(Supplier<T> work) {
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

  /** Fails if the store was closed. */
  public void requireOpen() {
    if (closed) {
      throw new ClewException.Closed("the store " + name + " was closed; open a new one");
    }
  }

  /** Waits for the work in progress, and refuses all other. */
  public void close() {
    lock.writeLock().lock();
    try {
      closed = true;
    } finally {
      lock.writeLock().unlock();
    }
  }
}
