package dev.clew.cli.transfer;

import dev.clew.ClewException;
import dev.clew.cli.command.Clew;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.json.JsonObject;
import dev.clew.migrate.Migration;
import dev.clew.migrate.MigrationReport;
import dev.clew.migrate.SessionOutcome.Kind;

/**
 * Copies sessions from store to store for a command and tells how it went: {@code migrate} and
 * {@code restore}. Used once, by one thread.
 *
 * @param done what was done, such as "copied and compared"
 */
record CopyRunner(Clew clew, boolean dryRun, String done) {
  /**
   * Runs it and answers.
   *
   * @param about what a JSON answer begins with
   */
  int run(Migration migration, JsonObject about) {
    MigrationReport report;
    CopyProgress progress = CopyProgress.of(clew);
    try (progress) {
      report = (dryRun ? migration.dryRun() : migration).run(progress);
    } catch (ClewException.StoreUnavailable | ClewException.OutcomeUnknown e) {
      throw interrupted(e);
    }
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
            .putAll("problems", progress.problems())
            .putAll("unreadable", progress.unreadable()),
        summary(report));
    if (report.count(Kind.FAILED) > 0 || report.unreadable() > 0) {
      return ExitCode.FAILED;
    }
    return report.isComplete() ? ExitCode.OK : ExitCode.CONFLICT;
  }

  static Failure interrupted(ClewException e) {
    return Failure.failed(
        e.getMessage() + "\nrun the same command again to continue where it stopped");
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
}
