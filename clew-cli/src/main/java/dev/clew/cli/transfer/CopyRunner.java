package dev.clew.cli.transfer;

import dev.clew.ClewException;
import dev.clew.Finding;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.JsonFields;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.json.JsonObject;
import dev.clew.migrate.Migration;
import dev.clew.migrate.MigrationListener;
import dev.clew.migrate.MigrationReport;
import dev.clew.migrate.SessionOutcome;
import dev.clew.migrate.SessionOutcome.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies sessions from store to store for a command and tells how it went: {@code migrate} and
 * {@code restore}. Used once, by one thread.
 */
final class CopyRunner {
  private final Clew clew;
  private final boolean dryRun;
  private final String done;

  /**
   * @param done what was done, such as "copied and compared"
   */
  CopyRunner(Clew clew, boolean dryRun, String done) {
    this.clew = clew;
    this.dryRun = dryRun;
    this.done = done;
  }

  /**
   * Runs it and answers.
   *
   * @param about what a JSON answer begins with
   */
  int run(Migration migration, JsonObject about) {
    return clew.json ? runAsJson(migration, about) : runAsText(migration);
  }

  private MigrationReport run(Migration migration, MigrationListener listener) {
    try {
      return (dryRun ? migration.dryRun() : migration).run(listener);
    } catch (ClewException.StoreUnavailable | ClewException.OutcomeUnknown e) {
      throw interrupted(e);
    }
  }

  static Failure interrupted(ClewException e) {
    return Failure.failed(
        e.getMessage() + "\nrun the same command again to continue where it stopped");
  }

  private int runAsText(Migration migration) {
    MigrationReport report;
    try (CopyProgress progress = CopyProgress.of(clew)) {
      report = run(migration, progress);
    }
    clew.out().line(summary(report));
    return exitCode(report);
  }

  private String summary(MigrationReport report) {
    long moved = report.count(Kind.MOVED) + report.count(Kind.WOULD_MOVE);
    StringBuilder text = new StringBuilder(dryRun ? "would copy " : done + " ");
    text.append(Humanize.count(moved, "session"))
        .append(" with ")
        .append(Humanize.count(report.items(), "item"));
    append(text, report.records(), "document", "");
    append(text, report.count(Kind.ALREADY_THERE), "session", " already there");
    append(text, report.count(Kind.REFUSED), "session", " refused");
    append(text, report.count(Kind.FAILED), "session", " failed");
    append(text, report.refusedRecords(), "document", " refused");
    append(text, report.unreadable(), "item", " unreadable and not copied");
    return report.isComplete() ? clew.paint().green(text.toString()) : text.toString();
  }

  /** A part of a summary, if there is anything of it. */
  static void append(StringBuilder text, long count, String noun, String what) {
    if (count > 0) {
      text.append(", ");
      text.append(noun.isEmpty() ? String.valueOf(count) : Humanize.count(count, noun));
      text.append(what);
    }
  }

  private int runAsJson(Migration migration, JsonObject about) {
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
      counts.put(Humanize.word(kind), report.count(kind));
    }
    clew.answer(
        about
            .put("dry_run", dryRun)
            .put("sessions", counts)
            .put("items", report.items())
            .put("records", report.records())
            .put("refused_records", report.refusedRecords())
            .putAll("problems", problems)
            .putAll("unreadable", unreadable));
    return exitCode(report);
  }

  static JsonObject problem(SessionOutcome outcome) {
    return new JsonObject()
        .put("id", outcome.key().id())
        .put("owner", outcome.key().owner())
        .put("outcome", Humanize.word(outcome.kind()))
        .put("message", outcome.message());
  }

  private static int exitCode(MigrationReport report) {
    if (report.count(Kind.FAILED) > 0 || report.unreadable() > 0) {
      return ExitCode.FAILED;
    }
    return report.isComplete() ? ExitCode.OK : ExitCode.CONFLICT;
  }
}
