package dev.clew.redis;

import dev.clew.ClewException;
import java.time.Clock;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what has expired and compares clocks from time to time, in every process that writes.
 * Thread-safe.
 */
final class Upkeep {
  private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);
  private static final long PERIOD_NANOS = 30_000_000_000L;
  private static final int BATCH = 100;

  private final Server server;
  private final Expiring expiring;
  private final Clock clock;
  private @Nullable Thread thread;
  private volatile boolean started;
  private volatile boolean closed;

  Upkeep(Server server, Expiring expiring, Clock clock) {
    this.server = server;
    this.expiring = expiring;
    this.clock = clock;
  }

  /** After a write. */
  void written() {
    if (!started) {
      start();
    }
  }

  private synchronized void start() {
    if (thread == null && !closed) {
      thread = new Thread(this::run, "clew-redis-upkeep");
      thread.setDaemon(true);
      thread.start();
      started = true;
    }
  }

  private void run() {
    while (!closed) {
      LockSupport.parkNanos(this, PERIOD_NANOS);
      try {
        int swept = BATCH;
        while (!closed && swept == BATCH) {
          swept = expiring.sweep(BATCH, clock.millis());
        }
        if (!closed && clock instanceof ServerClock told) {
          told.measure(server);
        }
      } catch (ClewException e) {
        if (!closed) {
          LOG.debug("upkeep could not be done now; it is tried again", e);
        }
      } catch (RuntimeException | Error e) { // or nothing would expire until the next start
        LOG.error("upkeep failed; it is tried again", e);
      }
    }
  }

  void close() {
    closed = true;
    Thread running;
    synchronized (this) {
      running = thread;
    }
    if (running != null) {
      LockSupport.unpark(running);
      try {
        running.join(5_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
