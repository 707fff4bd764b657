package dev.clew;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a store knows of a session besides its items. Immutable. The store maintains count and size;
 * reading them is cheap.
 *
 * @param key the session
 * @param version grows with every change; 0 is never the version of an existing session
 * @param itemCount how many items the history has
 * @param bytes about how many bytes they take
 * @param createdAt when the session was created, here or where it was imported from
 * @param updatedAt when its history last changed; never earlier than its items
 * @param title empty when it has none
 * @param metadata values as JSON has them
 * @param tags short words to find it by
 * @param archived put away
 * @param pinned kept at the top
 * @param timeToLive how long it exists after its last update, its own or the store's default; empty
 *     if it never expires
 * @param parent where it was forked from
 * @param damaged whether title, metadata and tags cannot be read, and are therefore empty
 */
public record SessionInfo(
    SessionKey key,
    long version,
    long itemCount,
    long bytes,
    Instant createdAt,
    Instant updatedAt,
    String title,
    Map<String, Object> metadata,
    Set<String> tags,
    boolean archived,
    boolean pinned,
    Optional<Duration> timeToLive,
    Optional<Parent> parent,
    boolean damaged) {

  /** The session and position a fork was made from. */
  public record Parent(SessionKey key, long position) {}
}
