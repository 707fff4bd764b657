package dev.clew.server.internal.runs;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a turn is to end early. Thread-safe.
 *
 * <p>A thread is interrupted only while it waits for the model: a store must not be interrupted in
 * the middle of a write.
 */
public final class Stop {
  private final List<Runnable> actions = new ArrayList<>();
  private @Nullable Thread waiting;
  private @Nullable Reason reason;

  /** Why a turn ends early. */
  public enum Reason {
    /** Its owner does not want it any more. */
    CANCELLED,
    /** The server stops. */
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

  /** Does this when the turn is stopped, at once if it was stopped before. */
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
   * Goes on only if the turn was not stopped.
   *
   * @throws Stopped if it was
   */
  public synchronized void check() {
    if (reason != null) {
      throw new Stopped(reason);
    }
  }

  /** Does something that may be interrupted. */
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
          Thread.interrupted(); // it was ours, and the store must not meet it
          check(); // whatever came of the interruption, this is why
        }
      }
    }
  }
}
