package dev.clew.crypto;

import dev.clew.Capability;
import dev.clew.ClewException.CorruptRecord;
import dev.clew.ClewException.NotSupported;
import dev.clew.ClewException.StoreUnavailable;
import dev.clew.SessionStore;
import dev.clew.kit.BackendStore;
import dev.clew.kit.EncryptionMark;
import java.util.Optional;

/**
 * A store whose content cannot be read without the keys. Thread-safe.
 *
 * <pre>{@code
 * MasterKeys keys = MasterKeys.of(KeySource.of("file:clew.key"));
 * try (SessionStore store = EncryptedStore.over(Stores.open("sqlite:conversations.db"), keys)) {
 *   …
 * }
 * }</pre>
 *
 * <p>Items with their notes, titles, metadata, tags and the text of documents are encrypted with
 * AES-256-GCM, each for its place: owner, session and position, or owner and name. Content that was
 * changed, moved, copied or written in plaintext is refused with {@link CorruptRecord}, never
 * skipped or removed. Not encrypted are the ids of owners, sessions, operations and leases, names
 * of documents, positions, times, sizes, numbers and flags.
 *
 * <p>Search is off. Listing by title, or by a part of it, reads all sessions of the owner.
 */
public final class EncryptedStore extends BackendStore {
  private EncryptedStore(SessionStore store, OwnerKeys keys) {
    super(store, backend -> new EncryptedBackend(backend, keys));
  }

  /**
   * Encrypts a store; the owners' keys are kept in it.
   *
   * @throws StoreUnavailable if the store was written with other keys, or without any
   * @throws NotSupported without {@link Capability#SEALED_ITEMS}
   */
  public static EncryptedStore over(SessionStore store, MasterKeys master) {
    return over(store, master, store);
  }

  /**
   * Encrypts a store, with the owners' keys in another one. Then a copy of the store holds no keys,
   * and deleting an owner's key makes every copy of the owner's content unreadable.
   */
  public static EncryptedStore over(SessionStore store, MasterKeys master, SessionStore keyStore) {
    if (!store.traits().has(Capability.SEALED_ITEMS)) {
      throw new NotSupported(
          "this store cannot be encrypted: it does not ask Commit.placed for what it"
              + " writes (or is encrypted already); use a store of Clew's own");
    }
    boolean alone = !store.traits().has(Capability.WATCH_ACROSS_PROCESSES) && keyStore == store;
    OwnerKeys keys = new OwnerKeys(keyStore, master, alone, System::nanoTime);
    keys.check(
        () -> store.owners(Optional.empty(), 1).isEmpty(),
        () ->
            new StoreUnavailable(
                EncryptionMark.isLost(keyStore)
                    ? String.format(
                        "this store is encrypted, but its document '%s' of owner '%s' is "
                            + "missing; restore a backup, nothing was changed",
                        EncryptionMark.NAME, EncryptionMark.OWNER)
                    : "this store holds sessions that are not encrypted; open it without a key, or"
                        + " move them to a new store: clew migrate",
                null,
                false));
    return new EncryptedStore(store, keys);
  }
}
