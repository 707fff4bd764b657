package dev.clew.cli.retention;

import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.cli.command.Action;
import dev.clew.cli.command.AtomicFile;
import dev.clew.cli.command.Consent;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.PhasedProgress;
import dev.clew.json.JsonObject;
import dev.clew.retention.Retention;
import dev.clew.retention.RetentionListener;
import dev.clew.retention.RetentionReport;
import dev.clew.spi.Compression;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code clew retention run}: does what the policies say. Used once, by one thread. */
@Command(name = "run")
final class RetentionRunCommand extends Action {

  @Option(names = "--dry-run")
  boolean dryRun;

  @Option(names = "--archive", paramLabel = "FOLDER")
  @Nullable String archive;

  @Option(names = "--shrink")
  boolean shrink;

  @Mixin Consent consent = new Consent();

  @Override
  protected int run() {
    if (!dryRun) {
      consent.requireYesOrTerminal(clew, "removing sessions");
    } else if (shrink) {
      throw Failure.usage("--dry-run changes nothing; leave out --shrink");
    }
    Optional<Path> folder =
        Optional.ofNullable(archive).map(name -> clew.judging("--archive", name, AtomicFile::path));
    UnaryOperator<SessionStore> decryption = clew.decryption();
    try (SessionStore plain = clew.openPlainStore(dryRun ? Opening.READ : Opening.WRITE);
        SessionStore store = decryption.apply(plain)) {
      if (shrink) {
        Compression.of(store); // one that cannot says so before anything is done
      }
      Retention retention = Retention.of(store).archivedFrom(plain);
      if (!dryRun && consent.mustAsk()) {
        consent.ask(clew, question(run(retention, true, Optional.empty(), false)));
      }
      RetentionReport report = run(retention, dryRun, folder, !clew.json);
      for (String policy : report.powerless()) {
        clew.note("policy " + policy + " does nothing: this store cannot compress sessions");
      }
      answer(report, shrink ? Compression.of(store).shrink() : 0);
      return ExitCode.OK;
    }
  }

  private RetentionReport run(
      Retention retention, boolean dry, Optional<Path> folder, boolean tells) {
    try (PhasedProgress progress = new PhasedProgress(clew.surroundings())) {
      return retention.run(dry, folder, new Listener(progress, tells));
    }
  }

  private static String question(RetentionReport planned) {
    String remove = "Remove " + Humanize.count(planned.removed(), "session");
    long cold = planned.compressed().sessions();
    if (cold == 0) {
      return remove + "?";
    }
    return (planned.removed() == 0 ? "Compress " : remove + " and compress ")
        + Humanize.count(cold, "session")
        + "?";
  }

  /** A line for each session, if they are to be told, and a bar. */
  private final class Listener implements RetentionListener {
    private final PhasedProgress progress;
    private final boolean tells;

    Listener(PhasedProgress progress, boolean tells) {
      this.progress = progress;
      this.tells = tells;
    }

    @Override
    public void removed(Retention.Verdict verdict) {
      tell(dryRun ? "would remove " : "removed ", verdict, "");
    }

    @Override
    public void compressed(Retention.Verdict verdict, Optional<Compression.Saving> saving) {
      tell(
          saving.isEmpty() ? "would compress " : "compressed ",
          verdict,
          saving.map(saved -> ", " + sizes(saved.before(), saved.after())).orElse(""));
    }

    private void tell(String what, Retention.Verdict verdict, String end) {
      if (tells) {
        progress.clear();
        clew.out()
            .line(what + verdict.key() + ": " + verdict.policy() + ", " + verdict.reason() + end);
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

    @Override
    public void compressing(long done, long total) {
      progress.at("compressing", "sessions", done, total);
    }
  }

  private static String sizes(long before, long after) {
    return Humanize.size(before) + " to " + Humanize.size(after);
  }

  private void answer(RetentionReport report, long givenBack) {
    RetentionReport.Compressed compressed = report.compressed();
    if (clew.json) {
      clew.answer(
          new JsonObject()
              .put("dry_run", dryRun)
              .put("examined", report.examined())
              .put("removed", report.removed())
              .put("held", report.held())
              .put("skipped", report.skipped())
              .put("archive", report.archive().map(Path::toString).orElse(null))
              .put("compressed", compressed.sessions())
              .put("bytes_before", compressed.before())
              .put("bytes_after", compressed.after())
              .put("powerless", report.powerless())
              .put("given_back", givenBack)
              .put("more", report.more()));
      return;
    }
    StringBuilder text = new StringBuilder(dryRun ? "would remove " : "removed ");
    text.append(report.removed())
        .append(" of ")
        .append(Humanize.count(report.examined(), "session"));
    if (report.held() > 0) {
      text.append(", ").append(report.held()).append(" stay on legal hold");
    }
    if (report.skipped() > 0) {
      text.append(", ").append(report.skipped()).append(" were changed or in use meanwhile");
    }
    if (compressed.sessions() > 0) {
      text.append(dryRun ? ", would compress " : ", compressed ").append(compressed.sessions());
      text.append(dryRun ? "" : ", " + sizes(compressed.before(), compressed.after()));
    }
    if (shrink) {
      text.append(", gave back ").append(Humanize.size(givenBack));
    }
    report.archive().ifPresent(file -> text.append(", archived in ").append(file));
    clew.out().line(text.append(report.more() ? "; run it again for more" : "").toString());
  }
}
