package dev.clew.server.settings;

import dev.clew.SessionStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * When a server runs the policies of its store. Immutable.
 *
 * @param store what archives are made of: of an encrypted store the one behind, so that nothing is
 *     in clear
 * @param every how often
 * @param archive the folder for what is removed, if it is to be kept
 */
public record RetentionSettings(SessionStore store, Duration every, Optional<Path> archive) {
  private static final Duration LEAST = Duration.ofMillis(100);

  /** Checks the time. */
  public RetentionSettings {
    if (every.compareTo(LEAST) < 0) {
      throw new IllegalArgumentException("policies are not run every " + every);
    }
  }
}
