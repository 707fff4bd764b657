package dev.clew.adapter;

import dev.clew.ClewException;
import dev.clew.Leases;
import dev.clew.SessionKey;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lets a turn wait until the one before it has ended. Thread-safe.
 *
 * <p>A turn begins with {@link #hold}, or else with its user's message, and ends with its answer.
 * Its lease is not renewed: a turn that fails without an answer ends when it expires, and then the
 * next one begins. So nothing is refused and nothing is lost.
 */
final class TurnLeases {
  private static final String NAME = "turn";
  private static final long FIRST_PAUSE_NANOS = 1_000_000;
  private static final long LONGEST_PAUSE_NANOS = 50_000_000;

  private final Leases leases;
  private final Duration longest;
  private final ConcurrentMap<SessionKey, Open> open = new ConcurrentHashMap<>();

  /**
   * A turn of this process.
   *
   * @param held whether somebody ends it, and not its answer
   * @param expires when others need not wait any longer, as a {@link System#nanoTime}
   */
  private record Open(Leases.Grant grant, boolean held, long expires) {}

  TurnLeases(Leases leases, Duration longest) {
    this.leases = leases;
    this.longest = longest;
  }

  /** Waits for the turn before; what this process adds until this is closed belongs to the turn. */
  Turn hold(SessionKey key) {
    Optional<Open> mine = acquired(key, true);
    return new Turn(() -> mine.ifPresent(turn -> release(key, turn)));
  }

  /** Waits for the turn before, unless the message belongs to a turn that is held. */
  void begin(SessionKey key) {
    Open now = open.get(key);
    if (now == null || !now.held() || now.expires() - System.nanoTime() <= 0) {
      acquired(key, false);
    }
  }

  private Optional<Open> acquired(SessionKey key, boolean held) {
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
    Optional<Open> turn =
        grant.map(mine -> new Open(mine, held, System.nanoTime() + longest.toNanos()));
    turn.ifPresent(mine -> open.put(key, mine));
    return turn;
  }

  /** The turn has its answer, or will have none. */
  void end(SessionKey key) {
    @Nullable Open now = open.get(key);
    if (now != null && !now.held()) {
      release(key, now);
    }
  }

  private void release(SessionKey key, Open turn) {
    open.remove(key, turn);
    try {
      leases.release(turn.grant());
    } catch (ClewException e) { // it expires; what the turn has done or thrown counts
      return;
    }
  }
}
