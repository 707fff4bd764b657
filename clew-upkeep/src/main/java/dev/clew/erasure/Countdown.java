package dev.clew.erasure;

import dev.clew.ClewException;
import dev.clew.SessionStore;
import dev.clew.copy.SessionWalk;
import dev.clew.erasure.ErasureListener.Phase;
import dev.clew.kit.Daemons;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Tells how much of an owner a store has erased while it erases, by counting now and then what is
 * left. Used by one thread.
 *
 * <p>A store erases in one call. It removes sessions one after the other, so what it still lists is
 * what is left.
 */
final class Countdown {
  private static final long PAUSE_MILLIS = 500;

  private final SessionStore store;
  private final String owner;
  private final long total;
  private final ErasureListener listener;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(Daemons.named("clew-erasure-countdown"));

  private Countdown(SessionStore store, String owner, long total, ErasureListener listener) {
    this.store = store;
    this.owner = owner;
    this.total = total;
    this.listener = listener;
  }

  /** Tells the listener while the work is done, and nothing more afterwards. */
  static void during(
      Runnable work, SessionStore store, String owner, long total, ErasureListener listener) {
    if (listener == ErasureListener.NONE) {
      work.run();
      return;
    }
    Countdown countdown = new Countdown(store, owner, total, listener);
    countdown.begin();
    try {
      work.run();
    } finally {
      countdown.end();
    }
  }

  private void begin() {
    var unused =
        clock.scheduleWithFixedDelay(
            this::count, PAUSE_MILLIS, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void count() {
    try {
      SessionWalk left = new SessionWalk(store, owner, Optional.empty());
      listener.progressed(Phase.ERASING, Math.max(0, total - left.items()), total);
      if (left.sessions() == 0) {
        clock.shutdown(); // what follows wants no readers
      }
    } catch (ClewException e) {
      clock.shutdown(); // the erasure itself says what is wrong
    }
  }

  private void end() {
    clock.shutdown();
    try {
      clock.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
