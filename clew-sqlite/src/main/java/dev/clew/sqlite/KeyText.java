package dev.clew.sqlite;

import dev.clew.SessionKey;
import java.util.Optional;

/**
 * Writes a {@link SessionKey} into the column {@code session_id} and reads it back. Stateless.
 *
 * <p>A session of the default owner is its bare id, as other programs write it. For another owner
 * it is {@code clew:OWNER:ID}, with {@code %} and {@code :} of the owner escaped. A bare id that
 * starts with {@code clew:} gets an empty owner: {@code clew::clew:x}.
 */
final class KeyText {
  private static final String PREFIX = "clew:";

  private KeyText() {}

  static String of(SessionKey key) {
    if (key.owner().isEmpty() && !key.id().startsWith(PREFIX)) {
      return key.id();
    }
    return PREFIX + owner(key.owner()) + ":" + key.id();
  }

  /** The owner as in the column {@code clew_owner}. */
  static String owner(String owner) {
    return owner.replace("%", "%25").replace(":", "%3A");
  }

  static String readOwner(String text) {
    return text.replace("%3A", ":").replace("%25", "%");
  }

  /** The key, or empty for a text that {@link #of} never writes. */
  static Optional<SessionKey> read(String text) {
    try {
      if (!text.startsWith(PREFIX)) {
        return Optional.of(SessionKey.of(text));
      }
      int end = text.indexOf(':', PREFIX.length());
      if (end < 0) {
        return Optional.empty();
      }
      String owner = readOwner(text.substring(PREFIX.length(), end));
      SessionKey key = new SessionKey(owner, text.substring(end + 1));
      return of(key).equals(text) ? Optional.of(key) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // an id of another program that our rules do not allow
    }
  }
}
