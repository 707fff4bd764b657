package dev.clew;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Small JSON documents of an owner, such as tokens, saved run states and settings. Thread-safe.
 * They are erased and migrated with their owner.
 */
public interface Documents {

  /**
   * One document.
   *
   * @param owner the owner
   * @param name unique within the owner
   * @param json its text
   * @param version grows with every put
   * @param expiresAt when it expires, if it does
   */
  record Document(
      String owner, String name, String json, long version, Optional<Instant> expiresAt) {}

  /** The document; empty if it does not exist or has expired. */
  Optional<Document> get(String owner, String name);

  /**
   * Writes the document.
   *
   * @param expectedVersion fails with {@link ClewException.VersionConflict} unless this is the
   *     current version; 0 if the document must not exist
   * @param timeToLive after which time it expires; empty for never
   */
  Document put(
      String owner,
      String name,
      String json,
      OptionalLong expectedVersion,
      Optional<Duration> timeToLive);

  /** Writes the document unconditionally; it does not expire. */
  default Document put(String owner, String name, String json) {
    return put(owner, name, json, OptionalLong.empty(), Optional.empty());
  }

  /** Removes the document; returns whether there was one. */
  boolean delete(String owner, String name);

  /**
   * The documents whose name starts with a prefix, in the order of their names by code point, after
   * a name, at most {@code limit}.
   */
  List<Document> list(String owner, String prefix, Optional<String> after, int limit);

  /** All documents whose name starts with a prefix, read page by page as they are needed. */
  default Iterable<Document> walk(String owner, String prefix) {
    return () ->
        new PageWalk<>(
            Optional.<String>empty(),
            after -> {
              List<Document> page = list(owner, prefix, after, 100);
              return new PageWalk.Page<>(
                  page,
                  page.isEmpty()
                      ? Optional.empty()
                      : Optional.of(Optional.of(page.get(page.size() - 1).name())));
            });
  }
}
