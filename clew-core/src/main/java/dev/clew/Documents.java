package dev.clew;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Small JSON documents of an owner, kept beside the sessions: tokens, saved run states, settings.
 * Thread-safe. They are erased and moved with their owner.
 */
public interface Documents {

  /**
   * One document.
   *
   * @param owner whose
   * @param name unique within the owner
   * @param json its text
   * @param version grows with every put
   * @param expiresAt when it vanishes, if it does
   */
  record Document(
      String owner, String name, String json, long version, Optional<Instant> expiresAt) {}

  /** The document, unless absent or expired. */
  Optional<Document> get(String owner, String name);

  /**
   * Writes the document.
   *
   * @param expectedVersion fails with {@link ClewException.VersionConflict} unless the present
   *     version is this; 0 for one that must not exist
   * @param timeToLive when it shall vanish
   */
  Document put(
      String owner,
      String name,
      String json,
      OptionalLong expectedVersion,
      Optional<Duration> timeToLive);

  /** Writes the document, whatever was there, to stay. */
  default Document put(String owner, String name, String json) {
    return put(owner, name, json, OptionalLong.empty(), Optional.empty());
  }

  /** Removes the document; whether there was one. */
  boolean delete(String owner, String name);

  /**
   * The documents whose name starts with a prefix, in the order of their names by code point, after
   * a name, at most {@code limit}.
   */
  List<Document> list(String owner, String prefix, Optional<String> after, int limit);
}
