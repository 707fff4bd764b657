package dev.clew.server.settings;

import dev.clew.SessionStore;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Automatic backups of a server. Immutable.
 *
 * @param store what is backed up; for an encrypted store the one beneath, so that backups stay
 *     encrypted
 * @param every the longest time between two backups
 * @param keep how many are kept, besides those they build on
 */
public record BackupSettings(SessionStore store, Path folder, Duration every, int keep) {
  private static final Duration LEAST = Duration.ofMillis(100);

  public BackupSettings {
    if (every.compareTo(LEAST) < 0 || keep < 1) {
      throw new IllegalArgumentException(
          "backups every " + every + " of which " + keep + " are kept are not possible");
    }
  }
}
