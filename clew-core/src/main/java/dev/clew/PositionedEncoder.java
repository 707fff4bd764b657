package dev.clew;

/**
 * Encodes drafts for a store when their positions are known; encryption is built on it.
 * Thread-safe.
 *
 * <p>A store calls it through {@link Commit#placed} inside its own transaction, and again whenever
 * it retries that transaction.
 */
public interface PositionedEncoder {
  /** The encoded form of a draft at a position. */
  Draft seal(Draft draft, long position);

  /** The encoded form of a {@linkplain Commit#digest digest}: equal for equal digests. */
  String digest(String digest);
}
