package dev.clew.adapter;

import dev.clew.SessionKey;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Says which session a framework's memory id names. Thread-safe.
 *
 * <p>Ids are compared as text: {@code 1} and {@code "1"} are the same session.
 */
@FunctionalInterface
public interface MemoryKeys {

  /**
   * The session of this id.
   *
   * @throws IllegalArgumentException if it cannot name a session
   */
  SessionKey key(@Nullable Object memoryId);

  /** Sessions of the default owner. */
  static MemoryKeys defaults() {
    return ofOwner(SessionKey.DEFAULT_OWNER);
  }

  /** Sessions of one owner; an id that is a {@link SessionKey} names its own owner. */
  static MemoryKeys ofOwner(String owner) {
    SessionKey.checkOwner(owner);
    return id -> id instanceof SessionKey key ? key : new SessionKey(owner, text(id));
  }

  private static String text(@Nullable Object id) {
    if (id instanceof CharSequence
        || id instanceof Number
        || id instanceof Character
        || id instanceof UUID
        || id instanceof Enum<?>) {
      return id.toString();
    }
    throw new IllegalArgumentException(
        (id == null
                ? "the memory id is null, and so names no session"
                : "a memory id of type " + id.getClass().getName() + " cannot name a session")
            + "; use a String, a number, a UUID, an enum constant or a SessionKey, or set your own"
            + " MemoryKeys");
  }
}
