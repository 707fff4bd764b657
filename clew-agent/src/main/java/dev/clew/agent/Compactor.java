package dev.clew.agent;

/**
 * Makes a shorter history out of a long one. Implementations are thread-safe.
 *
 * <p>A {@code CompactionSession} decides when, and puts the result in the place of what it read.
 * What a compactor throws leaves the history as it was.
 */
@FunctionalInterface
public interface Compactor {

  /**
   * What stands for the history from now on. It must not be empty.
   *
   * @throws dev.clew.ClewException if that could not be done; it is tried again later
   */
  Compaction compact(CompactionRequest request);

  /** Whether it can start from a response that the provider keeps, instead of from the items. */
  default boolean canFollowResponses() {
    return false;
  }

  /** Whether it can make one compaction item that stands for everything. */
  default boolean canMakeOneItem() {
    return true;
  }
}
