package dev.clew.kit;

import dev.clew.SessionStore;
import java.util.Optional;

/**
 * Tells a store that is written with encryption, so that nobody writes to it without. Stateless. It
 * is a record of an owner that no user can be.
 */
public final class EncryptionMark {
  /** Whose record it is; owners that begin so hold keys. */
  public static final String OWNER = "@clew.keys";

  /** The record's name. */
  public static final String NAME = "store";

  private EncryptionMark() {}

  /** Whether the records of an owner are keys. */
  public static boolean isHolder(String owner) {
    return owner.startsWith(OWNER);
  }

  /** Whether a store has it, or had it: keys of owners are there for what was encrypted only. */
  public static boolean isOn(SessionStore store) {
    return store.documents().get(OWNER, NAME).isPresent() || isLost(store);
  }

  /** Whether there are keys of owners; without the mark, it has gone lost. */
  public static boolean isLost(SessionStore store) {
    return store.owners(Optional.of(OWNER), 1).stream().anyMatch(EncryptionMark::isHolder);
  }
}
