package dev.clew.decorate;

import java.time.Duration;

/**
 * How a thread waits between two attempts; replaceable in tests. Implementations are thread-safe.
 */
@FunctionalInterface
public interface Sleeper {
  /** The calling thread sleeps. */
  Sleeper THREAD = pause -> Thread.sleep(pause.toMillis(), pause.toNanosPart() % 1_000_000);

  /** Waits. */
  void sleep(Duration pause) throws InterruptedException;
}
