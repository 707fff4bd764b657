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
 * Replaces master keys while others read and write: a new one is added, then the owners' keys are
 * wrapped with it, a few at a time. Thread-safe. No item is touched. Interrupted, it goes on where
 * it was when it is started again.
 */
public final class Rotation {
  private final SessionStore store;
  private final MasterKeys master;

  /**
   * @param store where the owners' keys are: the store as it is without encryption
   */
  public Rotation(SessionStore store, MasterKeys master) {
    this.store = store;
    this.master = master;
  }

  /** Adds a new master key to the key file; the id of it. */
  public static String addKey(MasterKeys master) {
    master.replace(master.withNewKey());
    return master.newest();
  }

  /** Wraps with the newest master key all that is wrapped with another; how many that were. */
  public int rewrap() {
    AtomicInteger count = new AtomicInteger();
    OwnerKeys.each(store, record -> count.addAndGet(rewrap(record) ? 1 : 0));
    return count.get();
  }

  private boolean rewrap(Document record) {
    Optional<Document> now = Optional.of(record);
    while (now.isPresent()) {
      try {
        return OwnerKeys.rewrap(store.documents(), master, now.get());
      } catch (VersionConflict e) {
        now = store.documents().get(record.owner(), record.name()); // erased, or wrapped by another
      }
    }
    return false;
  }

  /** How many owners' keys each master key wraps, by its id. */
  public Map<String, Integer> uses() {
    Map<String, Integer> uses = new TreeMap<>();
    OwnerKeys.each(store, record -> uses.merge(OwnerKeys.masterKey(record), 1, Integer::sum));
    return uses;
  }

  /**
   * Takes a master key that wraps nothing here any more out of the key file. Other stores, and
   * copies of this one from before the rotation, may still need it: the keys as they were are kept
   * in a file next to it, and {@link MasterKeys#restore} brings one back from there.
   *
   * @return that file
   * @throws IllegalArgumentException if it is still in use, or is the newest, or is none
   */
  public Path retire(String id, Instant now) {
    requireUnused(id);
    return master.retire(id, now);
  }

  /**
   * Looks whether a key can be retired.
   *
   * @throws IllegalArgumentException if it is still in use, or is the newest, or is none
   */
  public void requireUnused(String id) {
    var unused = master.without(id);
    int uses = uses().getOrDefault(id, 0);
    if (uses > 0) {
      throw new IllegalArgumentException(
          "key "
              + id
              + " still wraps "
              + uses
              + " keys of this store; run 'clew key rotate' first");
    }
  }
}
