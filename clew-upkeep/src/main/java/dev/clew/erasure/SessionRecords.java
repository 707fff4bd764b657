package dev.clew.erasure;

import dev.clew.Documents;
import dev.clew.SessionKey;
import java.util.function.BiConsumer;

/**
 * Which records go with one session of an owner when it is erased: whoever writes records about
 * sessions knows. Implementations are thread-safe.
 */
@FunctionalInterface
public interface SessionRecords {
  /** For a store in which no record is about a session. */
  SessionRecords NONE = (records, key, found) -> {};

  /**
   * Names those that there are, by owner and name. They are removed in this order and looked for
   * again when that was interrupted, so one by which others are found comes after them.
   */
  void each(Documents records, SessionKey key, BiConsumer<String, String> found);
}
