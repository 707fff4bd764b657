package dev.clew.memory;

import dev.clew.SessionUpdate;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What people said about a session. Immutable.
 *
 * @param timeToLive the session's own; none for the store's default
 */
record Description(
    String title,
    Map<String, Object> metadata,
    Set<String> tags,
    boolean archived,
    boolean pinned,
    Optional<Duration> timeToLive) {
  static final Description NONE =
      new Description("", Map.of(), Set.of(), false, false, Optional.empty());

  Description with(SessionUpdate update) {
    return new Description(
        update.title().orElse(title),
        update.metadata().orElse(metadata),
        update.tags().orElse(tags),
        update.archived().orElse(archived),
        update.pinned().orElse(pinned),
        update.timeToLive().isPresent()
            ? update.timeToLive().filter(own -> !own.isZero())
            : timeToLive);
  }
}
