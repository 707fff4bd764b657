package dev.clew.memory;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery.Order;
import dev.clew.internal.Expiry;
import dev.clew.internal.SessionCursor;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** One session as the store holds it. Not thread-safe: used under {@link Guard}. */
final class SessionState {
  final SessionKey key;
  final Instant createdAt;
  final Optional<SessionInfo.Parent> parent;
  final ChangeLog log;
  final History history = new History();
  final Archive archive = new Archive();
  final Operations operations = new Operations();
  Description description = Description.NONE;
  Instant updatedAt;
  long version;

  SessionState(SessionKey key, Instant now, Optional<SessionInfo.Parent> parent, ChangeLog log) {
    this.key = key;
    this.createdAt = now;
    this.updatedAt = now;
    this.parent = parent;
    this.log = log;
  }

  SessionInfo info(Optional<Duration> defaultTimeToLive) {
    return new SessionInfo(
        key,
        version,
        history.size(),
        history.bytes(),
        createdAt,
        updatedAt,
        description.title(),
        description.metadata(),
        description.tags(),
        description.archived(),
        description.pinned(),
        description.timeToLive().or(() -> defaultTimeToLive),
        parent);
  }

  /** When it ends, if it ever does. */
  Optional<Instant> expiresAt(Optional<Duration> defaultTimeToLive) {
    return description
        .timeToLive()
        .or(() -> defaultTimeToLive)
        .map(life -> Expiry.end(updatedAt, life));
  }

  /** Its place in a list of that order. */
  SessionCursor place(Order order) {
    return SessionCursor.of(order, createdAt, updatedAt, description.title(), key.id());
  }
}
