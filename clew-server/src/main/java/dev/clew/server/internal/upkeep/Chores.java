package dev.clew.server.internal.upkeep;

import dev.clew.server.internal.base.Daemons;
import dev.clew.server.internal.telemetry.Meters;
import dev.clew.server.operate.AuditLog;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that is done when it is due, one after the other on a thread of its own. Thread-safe. What
 * fails is told, counted and tried again soon; the server goes on.
 */
public final class Chores implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Chores.class);
  private static final Duration LONGEST_RETRY = Duration.ofHours(1);
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Clock clock;
  private final AuditLog audit;
  private final Meters meters;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(Daemons.named("clew-chores"));

  /** A kind of work. Called by one thread at a time. */
  public interface Chore {
    /** What it is called in the audit log and the metrics. */
    String name();

    /** How often it is due. */
    Duration every();

    /** When it was last done well, also by others; nothing if it never was. */
    Optional<Instant> last();

    /** Does it; what it says goes into the log. */
    String run();
  }

  public Chores(List<Chore> chores, Clock clock, AuditLog audit, Meters meters) {
    this.clock = clock;
    this.audit = audit;
    this.meters = meters;
    chores.forEach(chore -> thread.execute(() -> look(chore)));
  }

  private void look(Chore chore) {
    Duration wait;
    try {
      wait = untilDue(chore);
      if (wait.isNegative() || wait.isZero()) {
        wait = run(chore) ? untilDue(chore) : retry(chore);
      }
    } catch (RuntimeException e) {
      LOG.error("whether {} is due cannot be told: {}", chore.name(), e.toString());
      wait = retry(chore);
    }
    if (!thread.isShutdown()) { // close() may come between, which drops it
      long millis = Math.max(wait.toMillis(), SHORTEST_WAIT.toMillis());
      var unused = thread.schedule(() -> look(chore), millis, TimeUnit.MILLISECONDS);
    }
  }

  private Duration untilDue(Chore chore) {
    Instant now = clock.instant();
    return Duration.between(now, chore.last().map(done -> done.plus(chore.every())).orElse(now));
  }

  private static Duration retry(Chore chore) {
    Duration tenth = chore.every().dividedBy(10);
    return tenth.compareTo(LONGEST_RETRY) < 0 ? tenth : LONGEST_RETRY;
  }

  private boolean run(Chore chore) {
    long begun = System.nanoTime();
    boolean failed = true;
    try {
      LOG.info("{}: {}", chore.name(), chore.run());
      failed = false;
    } catch (RuntimeException e) {
      if (!thread.isShutdown()) {
        LOG.error("{} failed and is tried again: {}", chore.name(), e.getMessage());
      }
    }
    meters.chore(chore.name(), failed, System.nanoTime() - begun);
    audit.note("server", null, chore.name(), null, failed ? "failed" : "done", null);
    return !failed;
  }

  /** Ends what runs; it leaves nothing half done. */
  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("work that is due now and then did not end in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
