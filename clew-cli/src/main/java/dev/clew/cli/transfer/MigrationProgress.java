package dev.clew.cli.transfer;

import dev.clew.cli.terminal.Progress;
import dev.clew.migrate.MigrationListener;
import dev.clew.migrate.SessionOutcome;
import java.util.Locale;

/** Shows how far a migration is. Not thread-safe. */
class MigrationProgress implements MigrationListener {
  private final Progress progress;
  private long plannedSessions;
  private long sessions;

  MigrationProgress(Progress progress) {
    this.progress = progress;
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

  @Override
  public void finished(SessionOutcome outcome) {
    sessions++;
    tellSessions();
  }

  private void tellSessions() {
    progress.detail(
        String.format(
            Locale.ROOT, "%,d of %,d sessions", sessions, Math.max(sessions, plannedSessions)));
  }

  /** Takes the bar away, before something else is printed. */
  void clear() {
    progress.clear();
  }
}
