package dev.clew;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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
  SessionSettings settings();

  /** A handle on the same session that reads with other settings. */
  StoredSession with(SessionSettings settings);

  /** Entries by position; see {@link Range}. */
  EntryPage entries(Range range);

  /** The entry whose item carries this id of its own. */
  Optional<Entry> find(String itemId);

  /**
   * Commits one change.
   *
   * @throws ClewException.VersionConflict if an expectation of the commit does not hold
   * @throws ClewException.SessionBusy if its fence is outdated
   * @throws ClewException.InvalidItem if an item exceeds the store's limits
   */
  Receipt commit(Commit commit);

  /**
   * As {@link #commit}, without a thread that waits if the store can: the future completes when the
   * change is durable, on a thread of the store, which must not be blocked. It fails with what
   * {@code commit} would throw.
   */
  CompletableFuture<Receipt> commitAsync(Commit commit);

  /** Removes the newest readable entry; damaged ones after it go to quarantine. */
  Optional<Entry> removeLast();

  /** Deletes the session with everything but its leases; whether there was one. */
  boolean delete();

  /** Removes the last turn, from its user message on, as one change; what was removed. */
  List<Item> undoTurn();

  /**
   * Puts these items, or none, in the place of the history, as one change: to begin anew, to
   * import. Title and metadata stay, except that without items a title that a server made from the
   * history goes with it; the items that were there are dropped, those that compactions replaced
   * too; what others add meanwhile comes after these.
   */
  void replaceHistory(List<Item> items);

  /** Puts another item in the place of the one with this id of its own; whether there is one. */
  boolean replaceItem(String itemId, Item replacement);

  /** Takes out the item with this id of its own; whether there was one. */
  boolean removeItem(String itemId);

  /** Makes a new session of the same owner with the history up to and including a position. */
  StoredSession fork(String newId, long upTo);

  /**
   * Makes a new session, of any owner, with the history up to and including a position. It takes
   * over title, metadata, tags and time to live, but is neither pinned nor archived.
   *
   * @throws ClewException.VersionConflict if the target exists or this session does not
   */
  SessionInfo forkTo(SessionKey target, long upTo);

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
