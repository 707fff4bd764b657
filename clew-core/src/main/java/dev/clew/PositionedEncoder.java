package dev.clew;

/**
 * Turns drafts into what a store keeps, at the moment their positions are known; encryption is
 * built on it. Thread-safe.
 *
 * <p>A store calls it through {@link Commit#placed} inside its own transaction, and once more
 * whenever it begins that transaction anew.
 */
public interface PositionedEncoder {
  /** What is kept of a draft at a position. */
  Draft seal(Draft draft, long position);

  /** What is kept of a {@linkplain Commit#digest digest}: equal for equal ones. */
  String digest(String digest);
}
