package dev.clew.server.internal.upkeep;

import dev.clew.backup.BackupFolder;
import dev.clew.backup.BackupReport;
import dev.clew.migrate.MigrationListener;
import dev.clew.server.settings.BackupSettings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/** Adds a backup to a folder. Used by one thread. */
public final class BackupChore implements Chores.Chore {
  private final BackupSettings settings;
  private final BackupFolder folder;

  public BackupChore(BackupSettings settings, Clock clock) {
    this.settings = settings;
    this.folder = new BackupFolder(settings.folder(), clock);
  }

  @Override
  public String name() {
    return "backup";
  }

  @Override
  public Duration every() {
    return settings.every();
  }

  @Override
  public Optional<Instant> last() {
    return folder.newestTime();
  }

  @Override
  public String run() {
    BackupReport report =
        folder.add(settings.store(), OptionalInt.of(settings.keep()), MigrationListener.NONE);
    return report.totals().sessions() + " sessions in " + report.file();
  }
}
