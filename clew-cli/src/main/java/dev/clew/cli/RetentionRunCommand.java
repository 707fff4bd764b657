package dev.clew.cli;

import dev.clew.SessionStore;
import dev.clew.internal.JsonObject;
import dev.clew.retention.Retention;
import dev.clew.retention.RetentionListener;
import dev.clew.retention.RetentionReport;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code clew retention run}: removes what the policies say. Used once, by one thread. */
@Command(
    name = "run",
    description = {
      "Removes the sessions that the policies say, except those on legal hold or in use.",
      "Interrupted, run it again."
    },
    footer = {
      "",
      "Examples:",
      "  clew retention run --dry-run",
      "  clew retention run --yes --archive removed/",
      "",
      "An archive is a backup of what goes, written before anything goes; 'clew restore' reads it."
    })
final class RetentionRunCommand implements Action {
  private final Clew clew;

  @Option(names = "--dry-run", description = "Only say what would be removed.")
  boolean dryRun;

  @Option(
      names = "--archive",
      paramLabel = "FOLDER",
      description = "Write what goes into a file in this folder first.")
  @Nullable String archive;

  @Mixin Consent consent = new Consent();

  private final PhasedProgress progress;

  RetentionRunCommand(Clew clew) {
    this.clew = clew;
    this.progress = new PhasedProgress(clew);
  }

  @Override
  public int run() {
    if (!dryRun) {
      consent.requireYesOrTerminal(clew, "removing sessions");
    }
    Optional<Path> folder = Optional.ofNullable(archive).map(BackupCommand::path);
    try (SessionStore plain = clew.openPlainStore();
        SessionStore store = StoreKeys.open(() -> plain, clew.keySpec(), "--key")) {
      Retention retention = Retention.of(store).archivedFrom(plain);
      if (!dryRun && consent.mustAsk()) {
        long count = retention.run(true, Optional.empty(), new Listener(false)).removed();
        progress.clear();
        consent.ask(clew, "Remove " + Words.count(count, "session") + "?");
      }
      RetentionReport report;
      try {
        report = retention.run(dryRun, folder, new Listener(!clew.json));
      } finally {
        progress.clear();
      }
      answer(report);
      return ExitCode.OK;
    }
  }

  /** A line for each session, if they are to be told, and a bar. */
  private final class Listener implements RetentionListener {
    private final boolean tells;

    Listener(boolean tells) {
      this.tells = tells;
    }

    @Override
    public void removed(Retention.Removal removal) {
      if (tells) {
        progress.clear();
        clew.out()
            .line(
                (dryRun ? "would remove " : "removed ")
                    + removal.key()
                    + ": "
                    + removal.policy()
                    + ", "
                    + removal.reason());
      }
    }

    @Override
    public void examined(long sessions) {
      progress.at("looking", "sessions", sessions, 0);
    }

    @Override
    public void archived(long items, long total) {
      progress.at("archiving", "items", items, total);
    }

    @Override
    public void progressed(long done, long total) {
      progress.at("removing", "sessions", done, total);
    }
  }

  private void answer(RetentionReport report) {
    if (clew.json) {
      clew.out()
          .line(
              new JsonObject()
                  .put("dry_run", dryRun)
                  .put("examined", report.examined())
                  .put("removed", report.removed())
                  .put("held", report.held())
                  .put("skipped", report.skipped())
                  .put("archive", report.archive().map(Path::toString).orElse(null))
                  .put("more", report.more())
                  .toString());
      return;
    }
    StringBuilder text = new StringBuilder(dryRun ? "would remove " : "removed ");
    text.append(report.removed()).append(" of ").append(Words.count(report.examined(), "session"));
    if (report.held() > 0) {
      text.append(", ").append(report.held()).append(" stay on legal hold");
    }
    if (report.skipped() > 0) {
      text.append(", ").append(report.skipped()).append(" were changed or in use meanwhile");
    }
    report.archive().ifPresent(file -> text.append(", archived in ").append(file));
    clew.out().line(text.append(report.more() ? "; run it again for more" : "").toString());
  }
}
