package dev.clew.kit;

import dev.clew.ClewException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs background work on its own thread: some only while there are no writes, some periodically.
 * Thread-safe. The thread starts with the first write.
 */
public final class IdleScheduler {
  private static final Logger LOG = LoggerFactory.getLogger(IdleScheduler.class);
  private static final long TICK_NANOS = 500_000_000;
  private static final long QUIET_NANOS = 400_000_000;
  private static final int TICKS_BETWEEN = 60;
  private static final int MOST_DOUBLINGS = 6;
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
   * @param whenQuiet done twice a second while there are no writes
   * @param nowAndThen done every half minute
   */
  public IdleScheduler(String threadName, Runnable whenQuiet, Runnable nowAndThen) {
    this.threadName = threadName;
    this.whenQuiet = whenQuiet;
    this.nowAndThen = nowAndThen;
  }

  /** Something was written. Never blocks. */
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
    int failures = 0;
    int rest = 0; // ticks until what failed is tried again
    for (int tick = 1; !closed; tick++) {
      LockSupport.parkNanos(this, TICK_NANOS);
      if (--rest < 0 && System.nanoTime() - lastWrite.get() > QUIET_NANOS) {
        failures = done(whenQuiet) ? 0 : Math.min(failures + 1, MOST_DOUBLINGS);
        rest = failures == 0 ? 0 : 1 << failures;
      }
      if (tick % TICKS_BETWEEN == 0) {
        done(nowAndThen);
      }
    }
  }

  /** Does a piece of work, whose failure must not end the thread. */
  private boolean done(Runnable work) {
    try {
      if (!closed) {
        work.run();
      }
      return true;
    } catch (ClewException e) {
      if (!closed) {
        LOG.debug("upkeep could not be done now; it is tried again", e);
      }
      return true; // retried at the next tick
    } catch (RuntimeException | Error e) {
      LOG.error("{}: a piece of work failed; it is tried again", threadName, e);
      return false;
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
