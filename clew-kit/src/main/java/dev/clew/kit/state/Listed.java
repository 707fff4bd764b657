package dev.clew.kit.state;

import dev.clew.SessionKey;
import dev.clew.SessionQuery.Order;
import dev.clew.kit.SessionCursor;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A session as a list of sessions sees it. */
public interface Listed {
  /** Which session. */
  SessionKey key();

  /** When it was made. */
  Instant createdAt();

  /** When its history last changed. */
  Instant updatedAt();

  /** What people said about it. */
  Description description();

  /** Its place in a list of that order. */
  default SessionCursor place(Order order) {
    return SessionCursor.of(order, createdAt(), updatedAt(), description().title(), key().id());
  }

  /** When it ends, if it ever does. */
  default Optional<Instant> expiresAt(Optional<Duration> defaultTimeToLive) {
    return description().end(updatedAt(), defaultTimeToLive);
  }

  /** Whether it has ended. */
  default boolean hasExpired(Optional<Duration> defaultTimeToLive, Instant now) {
    return expiresAt(defaultTimeToLive).filter(end -> !end.isAfter(now)).isPresent();
  }
}
