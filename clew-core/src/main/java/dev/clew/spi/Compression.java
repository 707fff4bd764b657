package dev.clew.spi;

import dev.clew.ClewException;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import java.util.Optional;

/**
 * Keeps sessions that nobody touches in less space. As thread-safe as its store.
 *
 * <p>It changes nothing that can be read: items, positions, times and versions stay, and every call
 * of the store answers as before. Who writes to a compressed session need not know of it.
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

  /** Whether a session has something that is not compressed and might be. */
  boolean isWorthwhile(SessionKey key);

  /**
   * Compresses what a session has so far, in bounded steps; may be repeated after an interruption.
   * Nothing if there was nothing to save.
   */
  Optional<Saving> compress(SessionKey key);

  /** Stores a session as if it had never been compressed; whether there was something to do. */
  boolean decompress(SessionKey key);

  /**
   * Gives the disk the space that is free within the store; how many bytes. Those who write may
   * have to wait meanwhile, the longer the larger the store is.
   */
  long shrink();
}
