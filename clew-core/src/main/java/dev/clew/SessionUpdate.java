package dev.clew;

import dev.clew.json.Json;
import dev.clew.json.JsonText;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A change of a session's description; fields that are not set stay. Immutable.
 *
 * <pre>{@code
 * session.update(SessionUpdate.none().title("Trip to Kyoto").tags(Set.of("travel")));
 * }</pre>
 *
 * @param title the new title; empty removes it
 * @param metadata replaces the whole map
 * @param tags replaces all tags
 * @param archived puts it away or back
 * @param pinned pins or unpins it
 * @param timeToLive sets its own time to live; zero means the store's default
 * @param times when it was created and last updated elsewhere
 * @param parent what it was forked from elsewhere
 * @param expectedVersion fails with {@link ClewException.VersionConflict} unless it has this
 *     version
 */
public record SessionUpdate(
    Optional<String> title,
    Optional<Map<String, Object>> metadata,
    Optional<Set<String>> tags,
    Optional<Boolean> archived,
    Optional<Boolean> pinned,
    Optional<Duration> timeToLive,
    Optional<Times> times,
    Optional<SessionInfo.Parent> parent,
    OptionalLong expectedVersion) {
  private static final int MAX_TITLE = 1024;
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final int MAX_TAG = 128;

  /**
   * When a session was created and last updated elsewhere.
   *
   * @param createdAt not after the other
   */
  public record Times(Instant createdAt, Instant updatedAt) {
    /** Rounds them to what every store can keep. */
    public Times {
      updatedAt = GivenTime.of(updatedAt);
      createdAt = GivenTime.of(createdAt.isAfter(updatedAt) ? updatedAt : createdAt);
    }
  }

  /** Checks the texts. */
  public SessionUpdate {
    title.ifPresent(text -> check("title", text, MAX_TITLE));
    tags.ifPresent(
        all ->
            all.forEach(
                tag -> {
                  check("tag", tag, MAX_TAG);
                  if (tag.isEmpty()) {
                    throw new IllegalArgumentException("a tag is empty");
                  }
                }));
    timeToLive
        .filter(life -> life.isNegative() || (!life.isZero() && life.compareTo(SHORTEST) < 0))
        .ifPresent(
            life -> {
              throw new IllegalArgumentException(
                  "a session lives at least a millisecond, not " + life);
            });
  }

  private static void check(String what, String text, int limit) {
    if (text.length() > limit) {
      throw new IllegalArgumentException(
          what + " has " + text.length() + " characters, the limit is " + limit);
    }
    if (text.chars().anyMatch(c -> c < ' ') || JsonText.hasUnpairedSurrogate(text)) {
      throw new IllegalArgumentException(
          what + " has a control character or an unpaired surrogate");
    }
  }

  /** Changes nothing, but creates the session if it does not exist. */
  public static SessionUpdate none() {
    return new SessionUpdate(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalLong.empty());
  }

  /** Sets the title; empty removes it. */
  public SessionUpdate title(String text) {
    return with(copy -> copy.title = Optional.of(text));
  }

  /** Replaces the metadata. Values are maps, lists, text, numbers, booleans and nulls. */
  public SessionUpdate metadata(Map<String, ?> values) {
    Map<String, Object> normal = Json.readObject(Json.write(values));
    return with(copy -> copy.metadata = Optional.of(normal));
  }

  /** Replaces the tags. */
  public SessionUpdate tags(Set<String> words) {
    return with(copy -> copy.tags = Optional.of(Collections.unmodifiableSet(new TreeSet<>(words))));
  }

  /** Puts the session away, or back. */
  public SessionUpdate archived(boolean value) {
    return with(copy -> copy.archived = Optional.of(value));
  }

  /** Pins or unpins the session. */
  public SessionUpdate pinned(boolean value) {
    return with(copy -> copy.pinned = Optional.of(value));
  }

  /** Sets the time to live after the last update; zero for the store's default. */
  public SessionUpdate timeToLive(Duration value) {
    return with(copy -> copy.timeToLive = Optional.of(value));
  }

  /**
   * Says when an imported session was created and last updated. This never makes the creation later
   * or the last update earlier than it already is, and never sets a time in the future; a session
   * whose time to live would then be over counts as updated now.
   */
  public SessionUpdate times(Instant createdAt, Instant updatedAt) {
    Times given = new Times(createdAt, updatedAt);
    return with(copy -> copy.times = Optional.of(given));
  }

  /** Says what an imported session was forked from. */
  public SessionUpdate parent(SessionInfo.Parent source) {
    return with(copy -> copy.parent = Optional.of(source));
  }

  /** Fails unless the session has this version; 0 for one that does not exist. */
  public SessionUpdate expectVersion(long version) {
    return with(copy -> copy.expectedVersion = OptionalLong.of(version));
  }

  private SessionUpdate with(Consumer<Copy> change) {
    Copy copy = new Copy();
    change.accept(copy);
    return copy.done();
  }

  /** A copy in which one field is set. */
  private final class Copy {
    Optional<String> title = SessionUpdate.this.title;
    Optional<Map<String, Object>> metadata = SessionUpdate.this.metadata;
    Optional<Set<String>> tags = SessionUpdate.this.tags;
    Optional<Boolean> archived = SessionUpdate.this.archived;
    Optional<Boolean> pinned = SessionUpdate.this.pinned;
    Optional<Duration> timeToLive = SessionUpdate.this.timeToLive;
    Optional<Times> times = SessionUpdate.this.times;
    Optional<SessionInfo.Parent> parent = SessionUpdate.this.parent;
    OptionalLong expectedVersion = SessionUpdate.this.expectedVersion;

    SessionUpdate done() {
      return new SessionUpdate(
          title, metadata, tags, archived, pinned, timeToLive, times, parent, expectedVersion);
    }
  }
}
