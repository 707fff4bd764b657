package dev.clew.server.internal.runs;

import dev.clew.kit.Daemons;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads for owners, so that no owner can use all of them. Thread-safe. The work of an owner
 * starts in order, a few at a time; other owners do not wait for it.
 */
public final class Lanes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lanes.class);
  private static final int THREADS = 64;
  private static final int AT_ONCE = 4;

  private final ThreadPoolExecutor pool;
  private final Map<String, Lane> lanes = new HashMap<>();

  /** The waiting work of one owner. Guarded by the map. */
  private static final class Lane {
    final Queue<Runnable> waiting = new ArrayDeque<>();
    int running;
  }

  public Lanes(String threads) {
    pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Daemons.named(threads),
            new ThreadPoolExecutor.DiscardPolicy()); // only when the server stops
    pool.allowCoreThreadTimeOut(true);
  }

  /** Does work for an owner soon. Never waits. */
  public void execute(String owner, Runnable work) {
    synchronized (lanes) {
      Lane lane = lanes.computeIfAbsent(owner, any -> new Lane());
      lane.waiting.add(work);
      if (lane.running < AT_ONCE) {
        lane.running++;
        pool.execute(() -> runOne(owner, lane));
      }
    }
  }

  /** Only one: then other owners get their turn. */
  private void runOne(String owner, Lane lane) {
    Runnable work;
    synchronized (lanes) {
      work = lane.waiting.poll();
    }
    try {
      if (work != null) {
        work.run();
      }
    } catch (RuntimeException e) {
      LOG.warn("work for a reader failed: {}", e.toString());
    } finally {
      synchronized (lanes) {
        if (!lane.waiting.isEmpty()) {
          pool.execute(() -> runOne(owner, lane));
        } else if (--lane.running == 0) {
          lanes.remove(owner);
        }
      }
    }
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }
}
