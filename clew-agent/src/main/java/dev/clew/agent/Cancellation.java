package dev.clew.agent;

import org.jspecify.annotations.Nullable;

/**
 * Whether a run should end early. Thread-safe.
 *
 * <p>A thread is interrupted only while it waits for a model or a tool: a store must not be
 * interrupted in the middle of a write.
 */
final class Cancellation {
  private @Nullable Thread waiting;
  private boolean cancelled;

  /** Ends a run from within. */
  static final class Cancelled extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Cancelled() {
      super("the run was cancelled", null, false, false);
    }
  }

  synchronized void cancel() {
    cancelled = true;
    if (waiting != null) {
      waiting.interrupt();
    }
  }

  synchronized boolean isCancelled() {
    return cancelled;
  }

  void check() {
    if (isCancelled()) {
      throw new Cancelled();
    }
  }

  /** From here to {@link #leave} the thread waits for others, and may be interrupted. */
  synchronized void enter() {
    check();
    waiting = Thread.currentThread();
  }

  /** Ends what {@link #enter} began; returns whether the run was cancelled meanwhile. */
  synchronized boolean leave() {
    waiting = null;
    if (cancelled) {
      Thread.interrupted(); // it was ours, and the store must not meet it
    }
    return cancelled;
  }
}
