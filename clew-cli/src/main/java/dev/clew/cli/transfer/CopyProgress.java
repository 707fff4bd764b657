package dev.clew.cli.transfer;

import dev.clew.Finding;
import dev.clew.SessionKey;
import dev.clew.cli.command.Clew;
import dev.clew.cli.terminal.Progress;
import dev.clew.cli.terminal.SafeText;
import dev.clew.migrate.SessionOutcome;

/** Shows how far a copy is, and a line for each thing that could not be copied. Not thread-safe. */
final class CopyProgress extends MigrationProgress {
  private final Clew clew;

  private CopyProgress(Clew clew) {
    super(Progress.of(clew.surroundings(), "items"));
    this.clew = clew;
  }

  static CopyProgress of(Clew clew) {
    return new CopyProgress(clew);
  }

  @Override
  public void finished(SessionOutcome outcome) {
    super.finished(outcome);
    if (!outcome.message().isEmpty()) {
      line(
          clew.paint().red(CopyRunner.name(outcome.kind()))
              + " session "
              + outcome.key()
              + ": "
              + SafeText.line(outcome.message()));
    }
  }

  @Override
  public void recordRefused(String owner, String record) {
    line(
        clew.paint().red("refused")
            + " record '"
            + record
            + "'"
            + (owner.isEmpty() ? "" : " of owner '" + owner + "'")
            + ": the target has a different one of that name");
  }

  @Override
  public void unreadable(Finding finding) {
    String place = finding.key().map(SessionKey::toString).orElse("?");
    String position =
        finding.position().isPresent() ? " position " + finding.position().getAsLong() : "";
    line(
        clew.paint().red("unreadable")
            + " session "
            + place
            + position
            + ": "
            + SafeText.line(finding.message()));
  }

  private void line(String text) {
    clear();
    clew.out().line(text).flush();
  }
}
