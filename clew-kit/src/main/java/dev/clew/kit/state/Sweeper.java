package dev.clew.kit.state;

import dev.clew.ClewException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what has expired periodically, on a thread that starts when something can expire.
 * Thread-safe.
 */
public final class Sweeper {
  private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
  private static final int BATCH = 100;
  private static final long PERIOD_SECONDS = 1;

  private final IntUnaryOperator sweep;
  private final CountDownLatch closed = new CountDownLatch(1);
  private @Nullable Thread thread;

  /** Calls {@code sweep} with how many to remove at most, as long as it removes that many. */
  public Sweeper(IntUnaryOperator sweep) {
    this.sweep = sweep;
  }

  /** Starts the thread, unless it runs. */
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
        sweep();
      }
    } catch (InterruptedException | ClewException.Closed e) {
      Thread.currentThread().interrupt(); // ends the thread
    }
  }

  private void sweep() {
    try {
      int removed = BATCH;
      while (removed == BATCH) {
        removed = sweep.applyAsInt(BATCH);
      }
    } catch (ClewException.Closed e) {
      throw e;
    } catch (RuntimeException | Error e) { // or nothing would expire until the next start
      LOG.error("could not remove what has expired; trying again", e);
    }
  }

  public void close() {
    closed.countDown();
  }
}
