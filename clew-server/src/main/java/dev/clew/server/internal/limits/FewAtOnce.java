package dev.clew.server.internal.limits;

import dev.clew.server.internal.http.Problem;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Lets a few calls through at once that take much time each, and fewer of one caller; the others
 * wait a little, or are refused. A caller whose calls queue gets at most half of the time: after
 * each of them the next waits as long as that one took. Thread-safe.
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
  private int runningInAll;
  private int presentInAll;

  /**
   * Counts calls of a kind.
   *
   * @param what what they are called, such as {@code searches}
   * @param all how many run at once
   * @param each how many of one caller
   * @param waiting how many more of one caller wait
   * @param patience for how long
   */
  public FewAtOnce(String what, int all, int each, int waiting, Duration patience) {
    this.what = what;
    this.all = all;
    this.each = each;
    this.waiting = waiting;
    this.patienceNanos = patience.toNanos();
  }

  /**
   * Does work when it is the caller's turn.
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
          "Too many " + what + " of yours at once; the limit is " + each + ". Try again later.",
          1);
    }
    if (presentInAll >= all * (1 + waiting)) {
      throw busy();
    }
    present.merge(caller, 1, Integer::sum);
    presentInAll++;
    boolean in = false;
    try {
      in = awaitTurn(caller);
    } finally {
      if (!in) {
        less(present, caller);
        presentInAll--;
      }
    }
    if (!in) {
      throw busy();
    }
    running.merge(caller, 1, Integer::sum);
    runningInAll++;
  }

  private synchronized boolean awaitTurn(String caller) {
    long end = System.nanoTime() + patienceNanos;
    while (true) {
      long now = System.nanoTime();
      long pause = pausedUntil.getOrDefault(caller, now) - now;
      boolean full = runningInAll >= all || running.getOrDefault(caller, 0) >= each;
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
    runningInAll--;
    presentInAll--;
    notifyAll();
  }

  private static void less(Map<String, Integer> counts, String caller) {
    counts.computeIfPresent(caller, (same, count) -> count == 1 ? null : count - 1);
  }

  private Problem busy() {
    return Problem.unavailable(
        "too_many_" + what, "The server is busy with other " + what + "; try again.");
  }
}
