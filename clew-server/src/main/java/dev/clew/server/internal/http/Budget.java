package dev.clew.server.internal.http;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A limit for the memory of all calls, in bytes. Thread-safe. A quarter is for small shares, so
 * that small requests never wait for large ones; one caller gets at most half of either part.
 */
public final class Budget {
  static final int SMALL = 64 << 10;

  /** How long a call waits for a share before it is refused. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  /** How many threads may wait; further calls are refused at once. */
  private static final int MOST_THREADS = 16;

  private final Part small;
  private final Part large;
  private final Deque<Waiting> queue = new ArrayDeque<>();

  /** The part for small or for large shares. Guarded by the budget. */
  private static final class Part {
    private final long most;
    private final long mostOfOne;
    private final Map<String, Long> ofCallers = new HashMap<>();
    private long used;

    Part(long most, long mostOfOne) {
      this.most = most;
      this.mostOfOne = mostOfOne;
    }

    boolean hasRoom(String caller, long more) {
      return used + more <= most && ofCallers.getOrDefault(caller, 0L) + more <= mostOfOne;
    }

    void add(String caller, long more) {
      used += more;
      if (more != 0) {
        ofCallers.merge(caller, more, (before, each) -> before + each == 0 ? null : before + each);
      }
    }
  }

  private record Waiting(Share share, long bytes, long deadline, CompletableFuture<Boolean> turn) {}

  /**
   * A budget.
   *
   * @param largest the largest share that one call needs, for which there is always room
   */
  Budget(long bytes, long largest) {
    long mostLarge = Math.max(largest, bytes / 4 * 3);
    long mostSmall = mostLarge / 3;
    this.large = new Part(mostLarge, Math.max(largest, mostLarge / 2));
    this.small = new Part(mostSmall, Math.max(SMALL, mostSmall / 2));
  }

  /** An eighth of the heap, because bodies and answers are in memory several times. */
  static Budget ofHeap(long largest) {
    return new Budget(Runtime.getRuntime().maxMemory() / 8, largest);
  }

  Share share(String caller) {
    return new Share(caller);
  }

  synchronized long used() {
    return small.used + large.used;
  }

  /** The share of one call. Thread-safe. */
  public final class Share {
    private final String caller;
    private long held;
    private boolean closed;

    private Share(String caller) {
      this.caller = caller;
    }

    /** Changes the size of the share if there is room; returns whether there was. */
    public boolean resize(long bytes) {
      List<Waiting> next;
      synchronized (Budget.this) {
        if (closed || (bytes > held && !hasRoom(this, bytes))) {
          return false;
        }
        set(this, bytes);
        next = next();
      }
      wake(next);
      return true;
    }

    /** Changes the size of the share even if there is no room. */
    void force(long bytes) {
      synchronized (Budget.this) {
        if (!closed) {
          set(this, bytes);
        }
      }
    }

    /** Changes the size of the share when there is room; false if there was none in time. */
    public CompletableFuture<Boolean> grow(long bytes) {
      synchronized (Budget.this) {
        if (closed) {
          return CompletableFuture.completedFuture(false);
        }
        if (hasRoom(this, bytes)) { // it may overtake larger ones that still wait
          set(this, bytes);
          return CompletableFuture.completedFuture(true);
        }
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        Waiting waiting = new Waiting(this, bytes, deadline, new CompletableFuture<>());
        queue.add(waiting);
        return waiting.turn();
      }
    }

    /** Like {@link #grow}, on a thread that waits briefly. */
    boolean growNow(long bytes, Duration patience) {
      if (isCrowded()) {
        return resize(bytes);
      }
      CompletableFuture<Boolean> turn = grow(bytes);
      try {
        return turn.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        return !turn.complete(false); // or it was granted just now
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return !turn.complete(false);
      } catch (ExecutionException e) {
        throw new IllegalStateException("never completed exceptionally", e);
      }
    }

    public void close() {
      List<Waiting> next;
      synchronized (Budget.this) {
        set(this, 0);
        closed = true;
        next = next();
      }
      wake(next);
    }
  }

  private synchronized boolean isCrowded() {
    return queue.size() >= MOST_THREADS;
  }

  private Part part(long bytes) {
    return bytes > SMALL ? large : small;
  }

  private boolean hasRoom(Share share, long bytes) {
    Part part = part(bytes);
    return part.hasRoom(share.caller, bytes - (part == part(share.held) ? share.held : 0));
  }

  private void set(Share share, long bytes) {
    part(share.held).add(share.caller, -share.held);
    part(bytes).add(share.caller, bytes);
    share.held = bytes;
  }

  /** The waiting shares that fit now, in order, without those that gave up. */
  private List<Waiting> next() {
    List<Waiting> next = new ArrayList<>();
    for (Iterator<Waiting> all = queue.iterator(); all.hasNext(); ) {
      Waiting waiting = all.next();
      if (waiting.share().closed || waiting.turn().isDone()) {
        all.remove();
      } else if (hasRoom(waiting.share(), waiting.bytes())) {
        all.remove();
        set(waiting.share(), waiting.bytes());
        next.add(waiting);
      }
    }
    return next;
  }

  private static void wake(List<Waiting> next) {
    for (Waiting waiting : next) {
      if (!waiting.turn().complete(true)) { // it gave up just now
        waiting.share().close();
      }
    }
  }

  /** Refuses those that have waited too long; called regularly. */
  void expire(long now) {
    List<Waiting> late = new ArrayList<>();
    synchronized (this) {
      queue.removeIf(waiting -> now - waiting.deadline() > 0 && late.add(waiting));
    }
    late.forEach(waiting -> waiting.turn().complete(false));
  }
}
