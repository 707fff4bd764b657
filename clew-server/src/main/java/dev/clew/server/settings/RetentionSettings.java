package dev.clew.server.settings;

import dev.clew.SessionStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * When a server applies the retention policies of its store. Immutable.
 *
 * @param store what archives are read from; for an encrypted store the one beneath, so that
 *     archives stay encrypted
 * @param archive the folder for an archive of what is removed
 */
public record RetentionSettings(SessionStore store, Duration every, Optional<Path> archive) {
  private static final Duration LEAST = Duration.ofMillis(100);

  public RetentionSettings {
    if (every.compareTo(LEAST) < 0) {
      throw new IllegalArgumentException("policies cannot be applied every " + every);
    }
  }
}
