package dev.clew.agent;

import dev.clew.Commit;
import dev.clew.Item;
import java.util.List;
import java.util.Optional;

/**
 * The history of a session as a compaction needs it: read as a whole, and changed only if it is
 * still what was read. Implementations are thread-safe.
 */
interface CompactedHistory {

  /** What was read. */
  interface Snapshot {
    /** The items a model may see, oldest first. */
    List<Item> items();

    /**
     * Puts other items in the place of these, and keeps what was appended since. Only for the whole
     * history.
     *
     * @return whether it did: not if what was read is no longer there
     */
    boolean replace(List<Item> replacement, Optional<Commit.Fence> fence);

    /**
     * Adds an item right behind these.
     *
     * @return whether it did: not if the history is another by now
     */
    boolean append(Item item, Optional<Commit.Fence> fence);
  }

  /** The whole history now. */
  Snapshot read();

  /** Of the history now what a window shows: from the newest compaction item on. */
  Snapshot readNewest();
}
