package dev.clew;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A {@link Session} in a {@link SessionStore}, with all that a store adds. Thread-safe; owns no
 * resources.
 */
public interface StoredSession extends Session {

  /** Owner and id. */
  SessionKey key();

  /** The store it is in. */
  SessionStore store();

  /** How it is read when the caller does not say. */
  default SessionSettings settings() {
    return store().settings();
  }

  /** Entries by position; see {@link Range}. */
  EntryPage entries(Range range);

  /** The entry whose item carries this id of its own. */
  Optional<Entry> find(String itemId);

  /** Commits one change of the history. */
  Receipt apply(HistoryTransaction transaction);

  /** Removes the last turn, from its user message on, as one change; what was removed. */
  List<Item> undoTurn();

  /**
   * Puts these items, or none, in the place of the history, as one change: to begin anew, to
   * import. Title and metadata stay; the items that were there are dropped, those that compactions
   * replaced too; what others add meanwhile comes after these.
   */
  void replaceHistory(List<Item> items);

  /** Puts another item in the place of the one with this id of its own; whether there is one. */
  boolean replaceItem(String itemId, Item replacement);

  /** Takes out the item with this id of its own; whether there was one. */
  boolean removeItem(String itemId);

  /** Makes a new session of the same owner with the history up to and including a position. */
  StoredSession fork(String newId, long upTo);

  /** What is known of it, unless it does not exist. */
  Optional<SessionInfo> info();

  /** Changes title, metadata, tags, flags; creates the session if needed. */
  SessionInfo update(SessionUpdate update);

  /** Delivers each committed change after {@code version} to the listener. */
  Watch watch(long version, Consumer<SessionEvent> listener);

  /**
   * Takes a lease, waiting for it if somebody else has it, and keeps it alive until it is closed.
   *
   * @param name what it is for, such as {@code turn}
   * @param timeToLive how long it outlives its process
   * @param maxWait how long to wait
   * @throws ClewException.SessionBusy naming the holder, if it was not to be had in time
   */
  Lease lease(String name, Duration timeToLive, Duration maxWait);
}
