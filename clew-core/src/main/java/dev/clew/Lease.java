package dev.clew;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A held lease, renewed by a heartbeat until it is closed. Thread-safe.
 *
 * <p>If the process dies, the lease expires. If a holder was suspended for too long, its writes are
 * refused, because each carries the {@link #fence()}.
 */
public final class Lease implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lease.class);
  private static final long FIRST_PAUSE_NANOS = 1_000_000;
  private static final long LONGEST_PAUSE_NANOS = 50_000_000;
  private static final Duration LONGEST_WAIT = Duration.ofDays(365);

  /** One thread for all heartbeats of the process; each beat is a single small write. */
  private static final class Heart {
    static final ScheduledExecutorService BEAT =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "clew-lease-heartbeat");
              thread.setDaemon(true);
              return thread;
            });
  }

  private final Leases leases;
  private final Duration timeToLive;
  private final Future<?> heartbeat;
  private volatile Leases.Grant grant;
  private volatile boolean held = true;

  private Lease(Leases leases, Leases.Grant grant, Duration timeToLive) {
    this.leases = leases;
    this.grant = grant;
    this.timeToLive = timeToLive;
    long period = Math.max(1, timeToLive.toMillis() / 3);
    this.heartbeat =
        Heart.BEAT.scheduleWithFixedDelay(this::beat, period, period, TimeUnit.MILLISECONDS);
  }

  /**
   * Acquires a lease of a store, waiting for it if another holder has it; {@link
   * StoredSession#lease} is the usual way.
   *
   * @throws ClewException.SessionBusy naming the holder, if it could not be acquired in time
   */
  public static Lease acquire(
      Leases leases, SessionKey key, String name, Duration timeToLive, Duration maxWait) {
    if (timeToLive.toMillis() < 1) {
      throw new IllegalArgumentException("a lease lives at least a millisecond, not " + timeToLive);
    }
    String holder = ProcessHandle.current().pid() + "-" + UUID.randomUUID();
    Duration wait = maxWait.compareTo(LONGEST_WAIT) < 0 ? maxWait : LONGEST_WAIT;
    long deadline = System.nanoTime() + wait.toNanos();
    long pause = FIRST_PAUSE_NANOS;
    while (true) {
      Optional<Leases.Grant> grant = leases.tryAcquire(key, name, holder, timeToLive);
      if (grant.isPresent()) {
        return new Lease(leases, grant.get(), timeToLive);
      }
      long left = deadline - System.nanoTime();
      // An interrupted thread cannot park, and would ask without pause.
      if (left <= 0 || Thread.currentThread().isInterrupted()) {
        throw new ClewException.SessionBusy(busy(leases, key, name, maxWait));
      }
      // Jitter, so that waiting processes do not ask in step.
      LockSupport.parkNanos(
          Math.min(left, pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1)));
      pause = Math.min(pause * 2, LONGEST_PAUSE_NANOS);
    }
  }

  private static String busy(Leases leases, SessionKey key, String name, Duration maxWait) {
    String holder =
        leases
            .holder(key, name)
            .map(other -> "'" + other.holder() + "' holds it until " + other.expiresAt())
            .orElse("others were faster");
    return String.format(
        "session %s is busy: waited %s for its '%s' lease, %s; try again later",
        key, Thread.currentThread().isInterrupted() ? "until interrupted" : maxWait, name, holder);
  }

  private void beat() {
    if (!held) {
      return;
    }
    try {
      Optional<Leases.Grant> renewed = leases.renew(grant, timeToLive);
      if (renewed.isPresent()) {
        grant = renewed.get();
      } else if (held) { // not closed meanwhile
        held = false;
        LOG.warn("the '{}' lease of session {} was lost", grant.name(), grant.key());
      }
    } catch (ClewException.Closed e) {
      held = false;
    } catch (RuntimeException e) {
      // Not fatal: the next beat may get through, and a lease that does run out is fenced.
      LOG.warn("could not renew the '{}' lease of session {}", grant.name(), grant.key(), e);
    }
  }

  /** What to put into {@link Commit#fence}. */
  public Commit.Fence fence() {
    return new Commit.Fence(grant.name(), grant.fence());
  }

  /** Whether it was still held when last renewed. */
  public boolean isHeld() {
    return held;
  }

  /** Releases it. Idempotent. */
  @Override
  public void close() {
    heartbeat.cancel(false);
    if (held) {
      held = false;
      leases.release(grant);
    }
  }
}
