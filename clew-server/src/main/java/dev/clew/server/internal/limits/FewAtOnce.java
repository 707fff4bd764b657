package dev.clew.server.internal.limits;

import dev.clew.server.internal.http.Problem;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Limits how many expensive calls run at once, in total and per caller; others wait briefly or are
 * refused. A caller whose calls queue gets at most half of the time: after each of them the next
 * waits as long as that one took. Thread-safe.
 */
public final class FewAtOnce {
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String what;
  private final int all;
  private final int each;
  private final int waiting;
  private final long patienceNanos;

  private final Map<String, Integer> running = new HashMap<>();
  private final Map<String, Integer> present = new HashMap<>(); // running or waiting
  private final Map<String, Long> pausedUntil = new HashMap<>();

  /**
   * A limit for one kind of call.
   *
   * @param what its name in messages, such as {@code searches}
   * @param all how many run at once
   * @param each how many of one caller run at once
   * @param waiting how many more of one caller may wait
   */
  public FewAtOnce(String what, int all, int each, int waiting, Duration patience) {
    this.what = what;
    this.all = all;
    this.each = each;
    this.waiting = waiting;
    this.patienceNanos = patience.toNanos();
  }

  /**
   * Does work when there is room.
   *
   * @throws Problem if there is too much of it
   */
  public <T> T run(String caller, Supplier<T> work) {
    enter(caller);
    long begun = System.nanoTime();
    try {
      return work.get();
    } finally {
      leave(caller, System.nanoTime() - begun);
    }
  }

  private synchronized void enter(String caller) {
    if (present.getOrDefault(caller, 0) >= each + waiting) {
      throw Problem.tooMany(
          "too_many_" + what,
          "Too many " + what + " of yours are running; the limit is " + each + ". Try again later.",
          1);
    }
    if (sum(present) >= all * (1 + waiting)) {
      throw busy();
    }
    present.merge(caller, 1, Integer::sum);
    if (!awaitTurn(caller)) {
      less(present, caller);
      if (!present.containsKey(caller)) {
        pausedUntil.remove(caller);
      }
      throw busy();
    }
    running.merge(caller, 1, Integer::sum);
  }

  private synchronized boolean awaitTurn(String caller) {
    long end = System.nanoTime() + patienceNanos;
    while (true) {
      long now = System.nanoTime();
      long pause = pausedUntil.getOrDefault(caller, now) - now;
      boolean full = sum(running) >= all || running.getOrDefault(caller, 0) >= each;
      if (!full && pause <= 0) {
        return true;
      }
      long left = full ? end - now : Math.min(pause, end - now);
      if (left <= 0) {
        return false;
      }
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }

  private synchronized void leave(String caller, long tookNanos) {
    less(running, caller);
    less(present, caller);
    if (present.getOrDefault(caller, 0) > running.getOrDefault(caller, 0)) {
      pausedUntil.put(caller, System.nanoTime() + Math.min(tookNanos, LONGEST_PAUSE_NANOS));
    } else {
      pausedUntil.remove(caller);
    }
    notifyAll();
  }

  private static void less(Map<String, Integer> counts, String caller) {
    counts.computeIfPresent(caller, (same, count) -> count == 1 ? null : count - 1);
  }

  private static int sum(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  private Problem busy() {
    return Problem.unavailable(
        "too_many_" + what, "The server is busy with other " + what + "; try again.");
  }
}
