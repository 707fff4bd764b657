package dev.clew.spi;

import dev.clew.ClewException;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import java.util.Optional;

/**
 * Stores idle sessions in less space. As thread-safe as its store.
 *
 * <p>It changes nothing that can be read: items, positions, times and versions stay, and every call
 * of the store returns the same as before. Writing to a compressed session works as usual.
 */
public interface Compression {
  /**
   * What compressing a session did. Immutable.
   *
   * @param before how many bytes were stored
   * @param after how many are stored now
   */
  record Saving(long before, long after) {}

  /**
   * The compression of a store.
   *
   * @throws ClewException.NotSupported if it has none
   */
  static Compression of(SessionStore store) {
    return store
        .feature(Compression.class)
        .orElseThrow(
            () ->
                new ClewException.NotSupported(
                    "this store cannot compress sessions; SQLite files and JSONL folders without a"
                        + " key can"));
  }

  /** Whether a session has something left to compress. */
  boolean isWorthwhile(SessionKey key);

  /**
   * Compresses what a session has so far, in bounded steps; repeat it after an interruption. Empty
   * if there was nothing to save.
   */
  Optional<Saving> compress(SessionKey key);

  /** Stores a session uncompressed again; returns whether there was something to do. */
  boolean decompress(SessionKey key);

  /**
   * Returns free space of the store to the disk, and how many bytes that was. Writers may have to
   * wait, the longer the larger the store is.
   */
  long shrink();
}
