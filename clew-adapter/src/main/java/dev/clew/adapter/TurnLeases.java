package dev.clew.adapter;

import dev.clew.Leases;
import dev.clew.SessionKey;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lets a user's message wait until the turn before it has its answer. Thread-safe.
 *
 * <p>The lease is not renewed: a turn that fails without an answer ends when it expires, and then
 * the next one begins. So nothing is refused and nothing is lost.
 */
final class TurnLeases {
  private static final String NAME = "turn";
  private static final long FIRST_PAUSE_NANOS = 1_000_000;
  private static final long LONGEST_PAUSE_NANOS = 50_000_000;

  private final Leases leases;
  private final Duration longest;
  private final Map<SessionKey, Leases.Grant> open = new ConcurrentHashMap<>();

  TurnLeases(Leases leases, Duration longest) {
    this.leases = leases;
    this.longest = longest;
  }

  /** Waits for the turn before. */
  void begin(SessionKey key) {
    String holder = ProcessHandle.current().pid() + "-" + UUID.randomUUID();
    long deadline = System.nanoTime() + longest.toNanos();
    long pause = FIRST_PAUSE_NANOS;
    Optional<Leases.Grant> grant = leases.tryAcquire(key, NAME, holder, longest);
    while (grant.isEmpty()
        && System.nanoTime() < deadline
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE_NANOS);
      grant = leases.tryAcquire(key, NAME, holder, longest);
    }
    grant.ifPresent(mine -> open.put(key, mine));
  }

  /** The turn has its answer, or will have none. */
  void end(SessionKey key) {
    Leases.@Nullable Grant grant = open.remove(key);
    if (grant != null) {
      leases.release(grant);
    }
  }
}
