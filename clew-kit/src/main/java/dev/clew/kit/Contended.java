package dev.clew.kit;

import dev.clew.ClewException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Repeats what begins with a read and fails when others change the session or document before it is
 * written. The pause between attempts is random and grows, so that of many writers none loses every
 * time. Stateless.
 */
public final class Contended {
  private static final int ATTEMPTS = 100;
  private static final long STEP = TimeUnit.MICROSECONDS.toNanos(20);

  private Contended() {}

  /** Reads and writes; repeated on a conflict. */
  public static <T> T repeat(Supplier<T> change) {
    for (int attempt = 1; ; attempt++) {
      try {
        return change.get();
      } catch (ClewException.VersionConflict e) {
        if (attempt == ATTEMPTS) {
          throw e; // others change it faster than we can read it
        }
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(attempt * STEP));
      }
    }
  }
}
