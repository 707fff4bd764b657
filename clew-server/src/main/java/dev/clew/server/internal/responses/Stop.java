package dev.clew.server.internal.responses;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a run shall end early. Thread-safe.
 *
 * <p>A thread is interrupted only while it waits for the model: a store must not be interrupted in
 * the middle of a write.
 */
final class Stop {
  private @Nullable Thread waiting;
  private @Nullable Reason reason;

  /** Why a run ends early. */
  enum Reason {
    /** Its owner does not want it any more. */
    CANCELLED,
    /** The server stops. */
    SERVER_STOPS
  }

  /** Ends a run from within. */
  static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final Reason reason;

    Stopped(Reason reason) {
      super("the run was stopped", null, false, false);
      this.reason = reason;
    }

    Reason reason() {
      return reason;
    }
  }

  /** Stops the run, at once if it waits for the model; the first reason counts. */
  synchronized void stop(Reason why) {
    if (reason == null) {
      reason = why;
      if (waiting != null) {
        waiting.interrupt();
      }
    }
  }

  synchronized void check() {
    if (reason != null) {
      throw new Stopped(reason);
    }
  }

  /** Does something that may be interrupted. */
  <T> T guard(Supplier<T> work) {
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
