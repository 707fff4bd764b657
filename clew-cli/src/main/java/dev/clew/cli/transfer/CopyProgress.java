package dev.clew.cli.transfer;

import dev.clew.Finding;
import dev.clew.SessionKey;
import dev.clew.cli.command.Clew;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.Output;
import dev.clew.cli.terminal.Paint;
import dev.clew.cli.terminal.Progress;
import dev.clew.cli.terminal.SafeText;
import dev.clew.migrate.MigrationListener;
import dev.clew.migrate.SessionOutcome;
import java.util.Locale;

/** Shows how far a copy is, and a line for each thing that could not be copied. Not thread-safe. */
final class CopyProgress implements MigrationListener, AutoCloseable {
  private final Output out;
  private final Paint paint;
  private final Progress progress;
  private long plannedSessions;
  private long sessions;

  CopyProgress(Output out, Paint paint, Progress progress) {
    this.out = out;
    this.paint = paint;
    this.progress = progress;
  }

  static CopyProgress of(Clew clew) {
    return new CopyProgress(clew.out(), clew.paint(), Progress.of(clew.surroundings(), "items"));
  }

  @Override
  public void planned(long sessionCount, long itemCount) {
    plannedSessions = sessionCount;
    progress.planned(itemCount);
    tellSessions();
  }

  @Override
  public void progressed(long more) {
    progress.add(more);
  }

  private void tellSessions() {
    progress.detail(
        String.format(
            Locale.ROOT, "%,d of %,d sessions", sessions, Math.max(sessions, plannedSessions)));
  }

  /** Takes the bar away. */
  @Override
  public void close() {
    progress.clear();
  }

  @Override
  public void finished(SessionOutcome outcome) {
    sessions++;
    tellSessions();
    if (!outcome.message().isEmpty()) {
      line(
          String.format(
              "%s session %s: %s",
              paint.red(Humanize.word(outcome.kind())),
              outcome.key(),
              SafeText.line(outcome.message())));
    }
  }

  @Override
  public void recordRefused(String owner, String record) {
    line(
        String.format(
            "%s record '%s'%s: the target has a different one of that name",
            paint.red("refused"), record, owner.isEmpty() ? "" : " of owner '" + owner + "'"));
  }

  @Override
  public void unreadable(Finding finding) {
    String place = finding.key().map(SessionKey::toString).orElse("?");
    String position =
        finding.position().isPresent() ? " position " + finding.position().getAsLong() : "";
    line(
        String.format(
            "%s session %s%s: %s",
            paint.red("unreadable"), place, position, SafeText.line(finding.message())));
  }

  private void line(String text) {
    progress.clear();
    out.line(text).flush();
  }
}
