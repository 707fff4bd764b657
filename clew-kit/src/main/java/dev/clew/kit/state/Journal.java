package dev.clew.kit.state;

import dev.clew.Entry;
import dev.clew.Receipt;
import java.time.Instant;
import java.util.List;

/**
 * Is told what changes in a {@link SessionState}, while it changes and under the same lock. The
 * methods do nothing unless overridden.
 */
public interface Journal {
  /** The session has a new version; called once for each. */
  default void changed(SessionState state) {}

  /** The time of its last update was {@code before} until now. */
  default void touched(SessionState state, Instant before) {}

  /** It counted as made at {@code before} until now. */
  default void madeEarlier(SessionState state, Instant before) {}

  /** Its description was {@code before} until now. */
  default void described(SessionState state, Description before) {}

  /** Entries came behind the others. */
  default void appended(SessionState state, List<Entry> entries) {}

  /** Entries were taken out. */
  default void removed(SessionState state, List<Entry> entries) {}

  /** An entry took the place of another at the same position. */
  default void edited(SessionState state, Entry before, Entry after) {}

  /** Entries up to a position were archived, or dropped, and others came before the rest. */
  default void replaced(
      SessionState state, long upTo, boolean drop, List<Entry> before, List<Entry> after) {}

  /** An operation id was used. */
  default void remembered(
      SessionState state, String operationId, String digest, Receipt receipt, Instant at) {}
}
