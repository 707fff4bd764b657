package dev.clew.internal;

import dev.clew.ClewException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs what nobody waits for on a thread of its own: some of it only while nobody writes, some of
 * it now and then. Thread-safe. The thread begins with the first write.
 */
public final class QuietTimes {
  private static final Logger LOG = LoggerFactory.getLogger(QuietTimes.class);
  private static final long TICK_NANOS = 500_000_000;
  private static final long QUIET_NANOS = 400_000_000;
  private static final int TICKS_BETWEEN = 60;
  private static final long CLOSE_PATIENCE_MILLIS = 5_000;

  private final String threadName;
  private final Runnable whenQuiet;
  private final Runnable nowAndThen;
  private final AtomicLong lastWrite = new AtomicLong(System.nanoTime());
  private @Nullable Thread thread;
  private volatile boolean closed;

  /**
   * Work in small pieces: closing waits for the one in progress.
   *
   * @param whenQuiet done twice a second while nobody writes
   * @param nowAndThen done every half minute
   */
  public QuietTimes(String threadName, Runnable whenQuiet, Runnable nowAndThen) {
    this.threadName = threadName;
    this.whenQuiet = whenQuiet;
    this.nowAndThen = nowAndThen;
  }

  /** Somebody has written. Never waits. */
  public void written() {
    lastWrite.lazySet(System.nanoTime());
    if (thread == null) {
      start();
    }
  }

  private synchronized void start() {
    if (thread == null && !closed) {
      thread = new Thread(this::run, threadName);
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void run() {
    for (int tick = 1; !closed; tick++) {
      LockSupport.parkNanos(this, TICK_NANOS);
      try {
        if (closed) {
          return;
        }
        if (System.nanoTime() - lastWrite.get() > QUIET_NANOS) {
          whenQuiet.run();
        }
        if (tick % TICKS_BETWEEN == 0) {
          nowAndThen.run();
        }
      } catch (ClewException e) {
        if (!closed) {
          LOG.debug("upkeep could not be done now; it is tried again", e);
        }
      }
    }
  }

  /** Ends the thread. Idempotent. */
  public void close() {
    closed = true;
    Thread running;
    synchronized (this) {
      running = thread;
    }
    if (running != null) {
      LockSupport.unpark(running);
      try {
        running.join(CLOSE_PATIENCE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
