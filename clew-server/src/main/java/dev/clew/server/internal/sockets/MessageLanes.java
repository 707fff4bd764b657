package dev.clew.server.internal.sockets;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The order in which the requests of a socket are worked off: one after another within a lane,
 * lanes at the same time, and only so many at once. Thread-safe.
 */
public final class MessageLanes {
  private final int atOnce;
  private final Map<String, Lane> lanes = new HashMap<>();
  private final Deque<Lane> ready = new ArrayDeque<>();
  private int running;

  /** The requests that wait behind one another. Guarded by the lanes. */
  private static final class Lane {
    final Deque<Consumer<Runnable>> waiting = new ArrayDeque<>();
    boolean busy;
  }

  public MessageLanes(int atOnce) {
    this.atOnce = atOnce;
  }

  /**
   * Adds a request to the end of a lane.
   *
   * @param work begins the request and does not wait; it gets what to call when the request is over
   */
  public void add(String name, Consumer<Runnable> work) {
    synchronized (this) {
      Lane lane = lanes.computeIfAbsent(name, any -> new Lane());
      lane.waiting.add(work);
      if (!lane.busy) {
        lane.busy = true;
        ready.add(lane);
      }
    }
    begin();
  }

  private void begin() {
    List<Runnable> all = new ArrayList<>();
    synchronized (this) {
      while (running < atOnce && !ready.isEmpty()) {
        Lane lane = ready.remove();
        Consumer<Runnable> work = lane.waiting.remove();
        AtomicBoolean once = new AtomicBoolean();
        running++;
        all.add(
            () ->
                work.accept(
                    () -> {
                      if (once.compareAndSet(false, true)) {
                        over(lane);
                      }
                    }));
      }
    }
    all.forEach(Runnable::run);
  }

  private void over(Lane lane) {
    synchronized (this) {
      running--;
      if (lane.waiting.isEmpty()) {
        lane.busy = false;
      } else {
        ready.add(lane);
      }
    }
    begin();
  }

  public synchronized boolean isIdle() {
    return running == 0 && ready.isEmpty();
  }
}
