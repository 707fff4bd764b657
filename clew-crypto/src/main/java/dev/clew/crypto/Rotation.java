package dev.clew.crypto;

import dev.clew.ClewException.VersionConflict;
import dev.clew.Documents.Document;
import dev.clew.SessionStore;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Replaces master keys while others read and write: a new key is added, then the owners' keys are
 * wrapped with it, a few at a time. Thread-safe. No item is touched. An interrupted rotation
 * continues when it is started again.
 */
public final class Rotation {
  private final SessionStore store;
  private final MasterKeys master;

  /**
   * @param store where the owners' keys are, without encryption
   */
  public Rotation(SessionStore store, MasterKeys master) {
    this.store = store;
    this.master = master;
  }

  /** Adds a new master key to the key file; returns its id. */
  public static String addKey(MasterKeys master) {
    master.replace(master.withNewKey());
    return master.newest();
  }

  /** Wraps all owners' keys with the newest master key; returns how many had another. */
  public int rewrap() {
    AtomicInteger count = new AtomicInteger();
    OwnerKeys.each(store, document -> count.addAndGet(rewrap(document) ? 1 : 0));
    return count.get();
  }

  private boolean rewrap(Document document) {
    Optional<Document> now = Optional.of(document);
    while (now.isPresent()) {
      try {
        return OwnerKeys.rewrap(store.documents(), master, now.get());
      } catch (VersionConflict e) {
        now =
            store
                .documents()
                .get(document.owner(), document.name()); // erased, or wrapped by another
      }
    }
    return false;
  }

  /** How many owners' keys each master key wraps, by its id. */
  public Map<String, Integer> uses() {
    Map<String, Integer> uses = new TreeMap<>();
    OwnerKeys.each(store, document -> uses.merge(OwnerKeys.masterKey(document), 1, Integer::sum));
    return uses;
  }

  /**
   * Removes a master key that wraps nothing here from the key file. Other stores, and backups from
   * before the rotation, may still need it: a file next to the key file keeps the old keys, and
   * {@link MasterKeys#restore} restores one from there.
   *
   * @return that file
   * @throws IllegalArgumentException if the key is in use, the newest, or unknown
   */
  public Path retire(String id, Instant now) {
    requireUnused(id);
    return master.retire(id, now);
  }

  /**
   * Checks that a key can be retired.
   *
   * @throws IllegalArgumentException if it is in use, the newest, or unknown
   */
  public void requireUnused(String id) {
    var unused = master.without(id);
    int uses = uses().getOrDefault(id, 0);
    if (uses > 0) {
      throw new IllegalArgumentException(
          "key %s still wraps %s keys of this store; run 'clew key rotate' first"
              .formatted(id, uses));
    }
  }
}
