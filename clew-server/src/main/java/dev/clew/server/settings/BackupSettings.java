package dev.clew.server.settings;

import dev.clew.SessionStore;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Backups that a server makes by itself. Immutable.
 *
 * @param store what is backed up: of an encrypted store the one behind, so that nothing is in clear
 * @param folder where they go
 * @param every how old the newest may get
 * @param keep how many are kept, beside those they build on
 */
public record BackupSettings(SessionStore store, Path folder, Duration every, int keep) {
  private static final Duration LEAST = Duration.ofMillis(100);

  /** Checks the numbers. */
  public BackupSettings {
    if (every.compareTo(LEAST) < 0 || keep < 1) {
      throw new IllegalArgumentException(
          "backups every " + every + " of which " + keep + " are kept make no sense");
    }
  }
}
