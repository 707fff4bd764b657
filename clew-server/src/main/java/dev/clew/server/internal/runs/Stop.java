package dev.clew.server.internal.runs;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a turn must end early. Thread-safe. A thread is interrupted only while it waits for the
 * model, never in the middle of a write to the store.
 */
public final class Stop {
  private final List<Runnable> actions = new ArrayList<>();
  private @Nullable Thread waiting;
  private @Nullable Reason reason;

  public enum Reason {
    /** Its owner cancelled it. */
    CANCELLED,
    SERVER_STOPS
  }

  /** Ends a turn from within. */
  public static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final Reason reason;

    Stopped(Reason reason) {
      super("the turn was stopped", null, false, false);
      this.reason = reason;
    }

    public Reason reason() {
      return reason;
    }
  }

  /** Stops the turn, at once if it waits for the model; the first reason counts. */
  void stop(Reason why) {
    List<Runnable> now;
    synchronized (this) {
      if (reason != null) {
        return;
      }
      reason = why;
      if (waiting != null) {
        waiting.interrupt();
      }
      now = List.copyOf(actions);
    }
    now.forEach(Runnable::run);
  }

  /** Calls back when the turn is stopped, at once if it was already. */
  public void onStop(Runnable action) {
    synchronized (this) {
      if (reason == null) {
        actions.add(action);
        return;
      }
    }
    action.run();
  }

  /**
   * Throws if the turn was stopped.
   *
   * @throws Stopped if it was
   */
  public synchronized void check() {
    if (reason != null) {
      throw new Stopped(reason);
    }
  }

  /** Does work that may be interrupted. */
  public <T> T guard(Supplier<T> work) {
    synchronized (this) {
      check();
      waiting = Thread.currentThread();
    }
    try {
      return work.get();
    } finally {
      synchronized (this) {
        waiting = null;
        if (reason != null) {
          Thread.interrupted(); // our interrupt, which must not reach the store
          check(); // the stop, whatever the interrupted work threw
        }
      }
    }
  }
}
