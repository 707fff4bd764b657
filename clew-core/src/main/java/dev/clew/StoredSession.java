package dev.clew;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A {@link Session} in a {@link SessionStore}, with everything that a store adds. Thread-safe; owns
 * no resources.
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

  /** The entry whose item carries this id. */
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
   * As {@link #commit}, without blocking a thread if the store supports it. The future completes
   * when the change is durable, on a thread of the store, which must not be blocked; it fails with
   * what {@code commit} would throw.
   */
  CompletableFuture<Receipt> commitAsync(Commit commit);

  /** Removes and returns the newest readable entry; damaged ones after it are quarantined. */
  Optional<Entry> removeLast();

  /** Deletes the session with everything but its leases; returns whether it existed. */
  boolean delete();

  /** Removes the last turn, from its user message on, as one change; returns what was removed. */
  List<Item> undoTurn();

  /**
   * Replaces the whole history with these items, or with none, as one change: to start over or to
   * import. Title and metadata stay, except that without items a title that a server made from the
   * history is removed with it. The old items are dropped, compacted ones too; what others add
   * meanwhile follows these.
   */
  void replaceHistory(List<Item> items);

  /** Replaces the item that carries this id; returns whether there is one. */
  boolean replaceItem(String itemId, Item replacement);

  /** Removes the item that carries this id; returns whether there was one. */
  boolean removeItem(String itemId);

  /** Creates a session of the same owner with the history up to and including a position. */
  StoredSession fork(String newId, long upTo);

  /**
   * Creates a session, of any owner, with the history up to and including a position. It gets
   * title, metadata, tags and time to live of this one, but is neither pinned nor archived.
   *
   * @throws ClewException.VersionConflict if the target exists or this session does not
   */
  SessionInfo forkTo(SessionKey target, long upTo);

  /** What is known of it; empty if it does not exist. */
  Optional<SessionInfo> info();

  /** Changes title, metadata, tags, flags; creates the session if needed. */
  SessionInfo update(SessionUpdate update);

  /** Delivers each committed change after {@code version} to the listener. */
  Watch watch(long version, Consumer<SessionEvent> listener);

  /**
   * Acquires a lease, waiting for it if another holder has it, and renews it until it is closed.
   *
   * @param name what it is for, such as {@code turn}
   * @param timeToLive how long it stays held after its process died
   * @param maxWait how long to wait
   * @throws ClewException.SessionBusy naming the holder, if it could not be acquired in time
   */
  Lease lease(String name, Duration timeToLive, Duration maxWait);
}
