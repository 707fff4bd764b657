package dev.clew;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The one place where tests wait for something that happens on another thread. */
public final class Await {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private Await() {}

  /** Returns as soon as the condition holds; fails after a time that is never reached in health. */
  public static void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("waited " + LIMIT + " in vain until " + what);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
