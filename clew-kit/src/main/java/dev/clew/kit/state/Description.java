package dev.clew.kit.state;

import dev.clew.SessionUpdate;
import dev.clew.kit.TimeToLive;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What people said about a session. Immutable.
 *
 * @param timeToLive the session's own; none for the store's default
 */
public record Description(
    String title,
    Map<String, Object> metadata,
    Set<String> tags,
    boolean archived,
    boolean pinned,
    Optional<Duration> timeToLive) {
  /** Nothing said. */
  public static final Description NONE =
      new Description("", Map.of(), Set.of(), false, false, Optional.empty());

  /** When a session that was last updated then ends, if it ever does. */
  public Optional<Instant> end(Instant updatedAt, Optional<Duration> defaultTimeToLive) {
    return timeToLive.or(() -> defaultTimeToLive).map(life -> TimeToLive.end(updatedAt, life));
  }

  /** As it is after an update. */
  public Description with(SessionUpdate update) {
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
