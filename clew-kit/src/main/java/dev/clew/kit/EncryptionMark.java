package dev.clew.kit;

import dev.clew.SessionStore;
import java.util.Optional;

/**
 * Marks an encrypted store, so that no program writes plaintext to it. Stateless. The mark is a
 * document of an owner that no user can have.
 */
public final class EncryptionMark {
  /** The owner of the mark; owners with this prefix hold keys. */
  public static final String OWNER = "@clew.keys";

  /** The name of the document. */
  public static final String NAME = "store";

  private EncryptionMark() {}

  /** Whether the documents of an owner are keys. */
  public static boolean isHolder(String owner) {
    return owner.startsWith(OWNER);
  }

  /** Whether a store has the mark, or had it: only encrypted stores have keys of owners. */
  public static boolean isOn(SessionStore store) {
    return store.documents().get(OWNER, NAME).isPresent() || isLost(store);
  }

  /** Whether there are keys of owners; if so and the mark is missing, it was lost. */
  public static boolean isLost(SessionStore store) {
    return store.owners(Optional.of(OWNER), 1).stream().anyMatch(EncryptionMark::isHolder);
  }
}
