package dev.clew.server.internal.upkeep;

import dev.clew.Documents;
import dev.clew.SessionStore;
import dev.clew.backup.BackupFolder;
import dev.clew.backup.BackupReport;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.kit.Daemons;
import dev.clew.migrate.MigrationListener;
import dev.clew.retention.Retention;
import dev.clew.retention.RetentionListener;
import dev.clew.retention.RetentionReport;
import dev.clew.server.internal.telemetry.Meters;
import dev.clew.server.operate.AuditLog;
import dev.clew.server.settings.BackupSettings;
import dev.clew.server.settings.RetentionSettings;
import dev.clew.server.settings.ServerSettings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs backups and retention when they are due, one at a time on one thread. Thread-safe. A failure
 * is logged, counted and retried soon.
 */
public final class Chores implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Chores.class);
  private static final Duration LONGEST_RETRY = Duration.ofHours(1);
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** The document that says when retention last ran, so that several servers share the work. */
  private static final String RETENTION_DONE = "retention-done";

  private final SessionStore store;
  private final Clock clock;
  private final AuditLog audit;
  private final Meters meters;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(Daemons.named("clew-chores"));

  /**
   * Recurring work.
   *
   * @param name its name in the audit log and the metrics
   * @param last when it last succeeded, at any server
   * @param work returns a line for the log
   */
  private record Chore(
      String name, Duration every, Supplier<Optional<Instant>> last, Supplier<String> work) {}

  public Chores(ServerSettings settings, AuditLog audit, Meters meters) {
    this.store = settings.store();
    this.clock = settings.clock();
    this.audit = audit;
    this.meters = meters;
    BackupSettings backups = settings.backups();
    if (backups != null) {
      start(backup(backups));
    }
    RetentionSettings retention = settings.retention();
    if (retention != null) {
      start(new Chore("retention", retention.every(), this::retained, () -> retain(retention)));
    }
  }

  private Chore backup(BackupSettings settings) {
    BackupFolder folder = new BackupFolder(settings.folder(), clock);
    meters.gauge(
        "clew.backup.age.seconds",
        "Age of the newest backup; -1 if there is none",
        () ->
            folder
                .newestTime()
                .map(done -> (int) Duration.between(done, clock.instant()).toSeconds())
                .orElse(-1));
    return new Chore(
        "backup",
        settings.every(),
        folder::newestTime,
        () -> {
          BackupReport report =
              folder.add(settings.store(), OptionalInt.of(settings.keep()), MigrationListener.NONE);
          return report.totals().sessions() + " sessions in " + report.file();
        });
  }

  private Optional<Instant> retained() {
    return store
        .documents()
        .get(Retention.OWNER, RETENTION_DONE)
        .map(Documents.Document::json)
        .map(json -> Json.string(Json.fields(json).get("at")))
        .map(Instant::parse);
  }

  private String retain(RetentionSettings settings) {
    RetentionReport report =
        Retention.of(store)
            .archivedFrom(settings.store())
            .clock(clock)
            .run(false, settings.archive(), RetentionListener.NONE);
    String at = clock.instant().toString();
    store
        .documents()
        .put(Retention.OWNER, RETENTION_DONE, new JsonObject().put("at", at).toString());
    return report.removed()
        + " of "
        + report.examined()
        + " sessions removed, "
        + report.compressed().sessions()
        + " compressed"
        + (report.powerless().isEmpty()
            ? ""
            : "; this store cannot compress, so these policies do nothing: " + report.powerless());
  }

  private void start(Chore chore) {
    thread.execute(() -> look(chore));
  }

  private void look(Chore chore) {
    Duration wait;
    try {
      wait = untilDue(chore);
      if (wait.isNegative() || wait.isZero()) {
        wait = run(chore) ? untilDue(chore) : retry(chore);
      }
    } catch (RuntimeException e) {
      LOG.error("could not find out whether {} is due: {}", chore.name(), e.toString());
      wait = retry(chore);
    }
    if (!thread.isShutdown()) { // close() may come between, and then drops it
      long millis = Math.max(wait.toMillis(), SHORTEST_WAIT.toMillis());
      var unused = thread.schedule(() -> look(chore), millis, TimeUnit.MILLISECONDS);
    }
  }

  private Duration untilDue(Chore chore) {
    Instant now = clock.instant();
    return Duration.between(
        now, chore.last().get().map(done -> done.plus(chore.every())).orElse(now));
  }

  private static Duration retry(Chore chore) {
    Duration tenth = chore.every().dividedBy(10);
    return tenth.compareTo(LONGEST_RETRY) < 0 ? tenth : LONGEST_RETRY;
  }

  private boolean run(Chore chore) {
    long begun = System.nanoTime();
    boolean failed = true;
    try {
      LOG.info("{}: {}", chore.name(), chore.work().get());
      failed = false;
    } catch (RuntimeException e) {
      if (!thread.isShutdown()) {
        LOG.error("{} failed and will be retried: {}", chore.name(), e.getMessage());
      }
    }
    meters.chore(chore.name(), failed, System.nanoTime() - begun);
    audit.note("server", null, chore.name(), null, failed ? "failed" : "done", null);
    return !failed;
  }

  /** Interrupts running work, which leaves nothing half done. */
  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("a backup or retention run did not stop in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
