package dev.clew.kit;

import dev.clew.SessionKey;
import dev.clew.spi.ChangePush.Listener;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Notifies listeners of changed sessions. Changes by other processes are found on a thread that
 * starts with the first listener. Thread-safe.
 */
public abstract class ChangeWatch {
  private static final long CLOSE_PATIENCE_MILLIS = 5_000;

  private final String threadName;
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private volatile @Nullable Thread thread;
  private volatile boolean closed;

  protected ChangeWatch(String threadName) {
    this.threadName = threadName;
  }

  /** Looks for changes by other processes until the watch is closed. */
  protected abstract void run();

  /** Adds a listener. */
  public final synchronized void attach(Listener listener) {
    listeners.add(listener);
    if (thread == null && !closed) {
      Thread started = new Thread(this::run, threadName);
      thread = started;
      started.setDaemon(true);
      started.start();
    }
  }

  /** Notifies the listeners that a session changed. */
  public final void changed(SessionKey key) {
    for (Listener listener : listeners) {
      listener.changed(key);
    }
  }

  /** Notifies the listeners that any sessions may have changed. */
  public final void changedAny() {
    watched().forEach(this::changed);
  }

  /** The sessions that somebody watches. */
  public final Set<SessionKey> watched() {
    Set<SessionKey> watched = new HashSet<>();
    listeners.forEach(listener -> watched.addAll(listener.watched()));
    return watched;
  }

  protected final boolean isClosed() {
    return closed;
  }

  /** Ends a {@link LockSupport#park} of the thread, if it runs. */
  protected final void unpark() {
    LockSupport.unpark(thread);
  }

  /** Ends the thread. Idempotent. */
  public final void close() {
    closed = true;
    listeners.clear();
    Thread running;
    synchronized (this) {
      running = thread;
    }
    if (running != null && running != Thread.currentThread()) {
      LockSupport.unpark(running);
      try {
        running.join(CLOSE_PATIENCE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
