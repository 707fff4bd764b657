package dev.clew.cli;

import dev.clew.ClewException;
import dev.clew.Finding;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.decorate.RetryingStore;
import dev.clew.internal.JsonObject;
import dev.clew.migrate.Migration;
import dev.clew.migrate.MigrationListener;
import dev.clew.migrate.MigrationReport;
import dev.clew.migrate.SessionOutcome;
import dev.clew.migrate.SessionOutcome.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code clew migrate}: copies sessions to another store. Used once, by one thread. */
@Command(
    name = "migrate",
    customSynopsis = "clew migrate --from=URL --to=URL [OPTIONS]",
    description = {
      "Copies sessions to another store, with everything that belongs to them, and compares.",
      "Changes nothing in the source and overwrites nothing in the target. Interrupted, it goes",
      "on where it stopped when it is run again."
    },
    footer = {
      "",
      "Examples:",
      "  clew migrate --from sqlite:conversations.db --to postgres://user:password@host/db",
      "  clew migrate --from sqlite:a.db --to sqlite:b.db --owner ann --since 30d",
      "  clew migrate --from sqlite:a.db --to sqlite:b.db --dry-run",
      "  clew migrate --from sqlite:a.db --to sqlite:safe.db --to-key file:clew.key",
      "",
      "The exit code is 5 when the target has other sessions of the same names, 1 when something",
      "could not be read or copied."
    })
final class MigrateCommand implements Action {
  private final Clew clew;

  @Option(names = "--from", paramLabel = "URL", required = true, description = "The store to read.")
  String from = "";

  @Option(names = "--to", paramLabel = "URL", required = true, description = "The store to write.")
  String to = "";

  @Option(
      names = "--from-key",
      paramLabel = "SOURCE",
      description = "The keys of the store to read, if it is encrypted.")
  @Nullable String fromKey;

  @Option(
      names = "--to-key",
      paramLabel = "SOURCE",
      description = "The keys to encrypt the store to write with.")
  @Nullable String toKey;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Only sessions updated since: 7d, 2026-01-31 or 2026-01-31T10:00:00Z.")
  @Nullable String since;

  @Option(
      names = "--dry-run",
      description = "Only say what would be copied. Both stores are opened, which may make them.")
  boolean dryRun;

  MigrateCommand(Clew clew) {
    this.clew = clew;
  }

  @Override
  public int run() {
    if (clew.store != null) {
      throw Failure.usage("migrate has --from and --to instead of --store");
    }
    if (clew.key != null) {
      throw Failure.usage("migrate has --from-key and --to-key instead of --key");
    }
    if (from.equals(to)) {
      throw Failure.usage("--from and --to are the same store");
    }
    Optional<Instant> start =
        Optional.ofNullable(since).map(time -> PointInTime.parse("--since", time, Instant.now()));
    try (SessionStore source = open(from, fromKey, "--from-key");
        SessionStore target = open(to, toKey, "--to-key")) {
      Migration migration = Migration.of(source, target);
      if (clew.owner != null) {
        migration = migration.owner(clew.owner);
      }
      if (start.isPresent()) {
        migration = migration.since(start.get());
      }
      return clew.json ? runAsJson(migration) : runAsText(migration);
    }
  }

  private SessionStore open(String url, @Nullable String key, String option) {
    return new RetryingStore(
        StoreKeys.open(
            () -> clew.surroundings().stores().apply(url), Optional.ofNullable(key), option));
  }

  private MigrationReport run(Migration migration, MigrationListener listener) {
    try {
      return (dryRun ? migration.rehearsal() : migration).run(listener);
    } catch (ClewException.StoreUnavailable | ClewException.OutcomeUnknown e) {
      throw Failure.failed(
          e.getMessage() + "\nrun the same command again: it goes on where it stopped");
    }
  }

  private int runAsText(Migration migration) {
    Paint paint = clew.paint();
    MigrationProgress progress =
        new MigrationProgress(Progress.of(clew, "items")) {
          @Override
          public void finished(SessionOutcome outcome) {
            super.finished(outcome);
            if (!outcome.message().isEmpty()) {
              line(
                  paint.red(name(outcome.kind()))
                      + " session "
                      + outcome.key()
                      + ": "
                      + Plain.line(outcome.message()));
            }
          }

          @Override
          public void recordRefused(String owner, String record) {
            line(
                paint.red("refused")
                    + " record "
                    + describe(owner, record)
                    + ": the target has another of that name");
          }

          @Override
          public void unreadable(Finding finding) {
            String place = finding.key().map(SessionKey::toString).orElse("?");
            String position =
                finding.position().isPresent() ? " position " + finding.position().getAsLong() : "";
            line(
                paint.red("unreadable")
                    + " session "
                    + place
                    + position
                    + ": "
                    + Plain.line(finding.message()));
          }

          private void line(String text) {
            clear();
            clew.out().line(text).flush();
          }
        };
    MigrationReport report;
    try {
      report = run(migration, progress);
    } finally {
      progress.clear();
    }
    clew.out().line(summary(report));
    return exitCode(report);
  }

  private static String describe(String owner, String record) {
    return "'" + record + "'" + (owner.isEmpty() ? "" : " of owner '" + owner + "'");
  }

  private String summary(MigrationReport report) {
    long moved = report.count(Kind.MOVED) + report.count(Kind.WOULD_MOVE);
    StringBuilder text = new StringBuilder(dryRun ? "would copy " : "copied and compared ");
    text.append(Words.count(moved, "session"))
        .append(" with ")
        .append(Words.count(report.items(), "item"));
    append(text, report.records(), "record", "");
    append(text, report.count(Kind.ALREADY_THERE), "session", " already there");
    append(text, report.count(Kind.REFUSED), "session", " refused");
    append(text, report.count(Kind.FAILED), "session", " failed");
    append(text, report.refusedRecords(), "record", " refused");
    append(text, report.unreadable(), "item", " unreadable and left behind");
    return report.isComplete() ? clew.paint().green(text.toString()) : text.toString();
  }

  private static void append(StringBuilder text, long count, String noun, String what) {
    if (count > 0) {
      text.append(", ").append(Words.count(count, noun)).append(what);
    }
  }

  private int runAsJson(Migration migration) {
    List<JsonObject> problems = new ArrayList<>();
    List<JsonObject> unreadable = new ArrayList<>();
    MigrationReport report =
        run(
            migration,
            new MigrationListener() {
              @Override
              public void finished(SessionOutcome outcome) {
                if (!outcome.message().isEmpty()) {
                  problems.add(problem(outcome));
                }
              }

              @Override
              public void unreadable(Finding finding) {
                unreadable.add(JsonFields.finding(finding));
              }
            });
    JsonObject counts = new JsonObject();
    for (Kind kind : Kind.values()) {
      counts.put(name(kind), report.count(kind));
    }
    clew.out()
        .line(
            new JsonObject()
                .put("from", StoreLocation.forDisplay(from))
                .put("to", StoreLocation.forDisplay(to))
                .put("dry_run", dryRun)
                .put("sessions", counts)
                .put("items", report.items())
                .put("records", report.records())
                .put("refused_records", report.refusedRecords())
                .putAll("problems", problems)
                .putAll("unreadable", unreadable)
                .toString());
    return exitCode(report);
  }

  private static JsonObject problem(SessionOutcome outcome) {
    return new JsonObject()
        .put("id", outcome.key().id())
        .put("owner", outcome.key().owner())
        .put("outcome", name(outcome.kind()))
        .put("message", outcome.message());
  }

  private static String name(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static int exitCode(MigrationReport report) {
    if (report.count(Kind.FAILED) > 0 || report.unreadable() > 0) {
      return ExitCode.FAILED;
    }
    return report.isComplete() ? ExitCode.OK : ExitCode.CONFLICT;
  }
}
