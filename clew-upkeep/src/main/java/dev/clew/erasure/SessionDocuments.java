package dev.clew.erasure;

import dev.clew.Documents;
import dev.clew.SessionKey;
import java.util.function.BiConsumer;

/**
 * The documents that are erased together with a session, as known by the program that writes them.
 * Implementations are thread-safe.
 */
@FunctionalInterface
public interface SessionDocuments {
  /** For a store without documents about sessions. */
  SessionDocuments NONE = (records, key, found) -> {};

  /**
   * Reports them by owner and name. They are removed in this order and looked up again after an
   * interruption, so a document that leads to others comes after them.
   */
  void each(Documents records, SessionKey key, BiConsumer<String, String> found);
}
