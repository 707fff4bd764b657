package dev.clew.cli.transfer;

import dev.clew.Finding;
import dev.clew.SessionKey;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.JsonFields;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.Output;
import dev.clew.cli.terminal.Paint;
import dev.clew.cli.terminal.Progress;
import dev.clew.cli.terminal.SafeText;
import dev.clew.json.JsonObject;
import dev.clew.migrate.MigrationListener;
import dev.clew.migrate.SessionOutcome;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * Shows how far a copy is, and a line for each thing that could not be copied; with {@code --json}
 * it only remembers those. Not thread-safe.
 */
final class CopyProgress implements MigrationListener, AutoCloseable {
  private final Output out;
  private final Paint paint;
  private final Progress progress;
  private long plannedSessions;
  private long sessions;
  private final List<JsonObject> problems = new ArrayList<>();
  private final List<JsonObject> unreadable = new ArrayList<>();

  CopyProgress(Output out, Paint paint, Progress progress) {
    this.out = out;
    this.paint = paint;
    this.progress = progress;
  }

  static CopyProgress of(Clew clew) {
    if (clew.json) {
      Output nowhere = new Output(OutputStream.nullOutputStream());
      OptionalInt width = OptionalInt.empty();
      Progress unseen = new Progress(nowhere, false, width, System::nanoTime, "items");
      return new CopyProgress(nowhere, clew.paint(), unseen);
    }
    return new CopyProgress(clew.out(), clew.paint(), Progress.of(clew.surroundings(), "items"));
  }

  List<JsonObject> problems() {
    return problems;
  }

  List<JsonObject> unreadable() {
    return unreadable;
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
      problems.add(
          new JsonObject()
              .put("id", outcome.key().id())
              .put("owner", outcome.key().owner())
              .put("outcome", Humanize.word(outcome.kind()))
              .put("message", outcome.message()));
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
            "%s document '%s'%s: the target has a different one of that name",
            paint.red("refused"), record, owner.isEmpty() ? "" : " of owner '" + owner + "'"));
  }

  @Override
  public void unreadable(Finding finding) {
    unreadable.add(JsonFields.finding(finding));
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
