package dev.clew.internal.session;

import dev.clew.ClewException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Removes what has expired from time to time, on a thread that starts when something can expire.
 * Thread-safe.
 */
public final class Sweeper {
  private static final int BATCH = 100;
  private static final long PERIOD_SECONDS = 1;

  private final IntUnaryOperator sweep;
  private final CountDownLatch closed = new CountDownLatch(1);
  private @Nullable Thread thread;

  /** Calls {@code sweep} with how many to remove at most, as long as it removes that many. */
  public Sweeper(IntUnaryOperator sweep) {
    this.sweep = sweep;
  }

  /** Starts, unless it did. */
  public synchronized void start() {
    if (thread == null && closed.getCount() > 0) {
      thread = new Thread(this::run, "clew-sweep");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void run() {
    try {
      while (!closed.await(PERIOD_SECONDS, TimeUnit.SECONDS)) {
        int removed = BATCH;
        while (removed == BATCH) {
          removed = sweep.applyAsInt(BATCH);
        }
      }
    } catch (InterruptedException | ClewException.Closed e) {
      Thread.currentThread().interrupt(); // nobody waits for this thread; it just ends
    }
  }

  /** Begins no other round. */
  public void close() {
    closed.countDown();
  }
}
