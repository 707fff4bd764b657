package dev.clew;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One opened backend that serves many sessions of many owners. Thread-safe; connections, locks,
 * caches and the schema belong to it, never to a session.
 *
 * <p>This is also what a new store implements: the abstract methods here and one subclass of the
 * contract in {@code clew-tck}. Users mostly call {@link #session} and work with the handle.
 *
 * <h2>What an implementation has to know</h2>
 *
 * <ul>
 *   <li>Names (owners, ids, titles, names of records) are ordered by Unicode code point, which is
 *       the order of their UTF-8 bytes. {@link String#compareTo} differs for characters beyond
 *       U+FFFF.
 *   <li>Positions: see {@link Commit}. Versions and events: see {@link SessionEvent}. Fences: see
 *       {@link Leases}.
 *   <li>Times: what a transaction brings along counts, see {@link Commit#times}.
 * </ul>
 *
 * <h2>Small on purpose</h2>
 *
 * There is no call that returns all sessions, none that takes an id without its owner, none that
 * rewrites a history as a whole, and none that orders by time.
 */
public interface SessionStore extends AutoCloseable {

  /** A handle on a session. Never touches the backend; the session need not exist. */
  default StoredSession session(SessionKey key) {
    return new StoreHandle(this, key, settings());
  }

  /** A handle on a session of the default owner. */
  default StoredSession session(String id) {
    return session(SessionKey.of(id));
  }

  /** A handle that reads with settings of its own. */
  default StoredSession session(SessionKey key, SessionSettings settings) {
    return new StoreHandle(this, key, settings);
  }

  /** How sessions of this store are read unless said otherwise. */
  default SessionSettings settings() {
    return SessionSettings.DEFAULT;
  }

  /** Reads entries by position. Damaged ones are skipped, counted and logged once. */
  EntryPage read(SessionKey key, Range range);

  /** The newest {@code limit} items, oldest first: {@link Session#getItems(int)}. */
  default List<Item> items(SessionKey key, int limit) {
    return read(key, Range.latest(limit)).items();
  }

  /**
   * The newest items with their positions, for decorations that hold items against their places: at
   * least {@code limit} unless there are fewer.
   */
  default PositionedItems newest(SessionKey key, int limit) {
    return PositionedItems.of(read(key, Range.latest(limit)));
  }

  /** The entry whose item carries this id of its own. */
  Optional<Entry> find(SessionKey key, String itemId);

  /**
   * The one write of a history.
   *
   * @throws ClewException.VersionConflict if an expectation of the commit does not hold
   * @throws ClewException.SessionBusy if its fence is outdated
   * @throws ClewException.InvalidItem if an item exceeds the store's limits
   */
  Receipt commit(SessionKey key, Commit commit);

  /**
   * What this store does beyond what every store does, such as {@link AsyncCommits}. A decorator
   * answers for itself.
   */
  default <F> Optional<F> feature(Class<F> feature) {
    return Optional.empty();
  }

  /** Removes the newest readable entry; damaged ones behind it go to quarantine. */
  Optional<Entry> removeLast(SessionKey key);

  /**
   * Removes a session with everything that belongs to it but its leases; whether there was one. It
   * is what {@link Session#clearSession} does.
   */
  boolean delete(SessionKey key);

  /**
   * Makes a new session with the history up to and including a position. It takes over title,
   * metadata, tags and time to live, but is neither pinned nor archived.
   *
   * @throws ClewException.VersionConflict if the target exists or the source does not
   */
  SessionInfo fork(SessionKey source, long upTo, SessionKey target);

  /**
   * Makes a fork whose content is what {@code copying} makes of the source's, called inside the
   * store's transaction.
   *
   * @throws ClewException.NotSupported if the store cannot
   */
  default SessionInfo fork(SessionKey source, long upTo, SessionKey target, ForkTransform copying) {
    throw new ClewException.NotSupported(
        "this store cannot fork sessions whose content is bound to its place");
  }

  /**
   * From now on reading a damaged record fails with {@link ClewException.CorruptRecord} instead of
   * passing it over: for decorations that must not miss one. A store without damage does nothing.
   */
  default void refuseDamage() {}

  /** What is known of a session, unless it does not exist or has expired. */
  Optional<SessionInfo> info(SessionKey key);

  /** Changes a session's description, and creates the session if needed. */
  SessionInfo update(SessionKey key, SessionUpdate update);

  /** One page of an owner's sessions, in the order of {@link SessionQuery.Order}. */
  SessionPage list(SessionQuery query);

  /**
   * Owners that have sessions or records, in the order of their names by code point, after a name,
   * at most {@code limit}.
   */
  List<String> owners(Optional<String> after, int limit);

  /**
   * Full-text search over message text and tool output.
   *
   * @throws ClewException.NotSupported without {@link Capability#SEARCH}
   */
  SearchResult search(SearchQuery query);

  /** The 20 best hits in all sessions of the default owner; see {@link SearchQuery} for more. */
  default SearchResult search(String words) {
    return search(SearchQuery.of(SessionKey.DEFAULT_OWNER, words));
  }

  /**
   * Delivers each committed change of a session after {@code version} to the listener, in order, on
   * a thread of the store. Start from {@link SessionInfo#version()} of what was read, or from 0 for
   * a session that does not exist yet.
   */
  Watch watch(SessionKey key, long version, Consumer<SessionEvent> listener);

  /**
   * Everything as it is at this moment, to be read only, while others go on writing. It may keep
   * the store from tidying up: close it soon. Nothing for a store that cannot hold still; there
   * each call is of a moment of its own.
   */
  default Optional<SessionStore> snapshot() {
    return Optional.empty();
  }

  /** Leases on sessions. */
  Leases leases();

  /** The documents beside the sessions. */
  Documents documents();

  /**
   * What keeps sessions that nobody touches in less space.
   *
   * @throws ClewException.NotSupported without {@link Capability#COMPRESSION}
   */
  default Compression compression() {
    throw new ClewException.NotSupported(
        "this store cannot compress sessions; SQLite files and JSONL folders can");
  }

  /**
   * Removes everything of an owner, in bounded steps; may be repeated after an interruption. Leases
   * are freed, whoever holds them, but their fences are remembered: see {@link Leases}.
   */
  void erase(String owner);

  /** Removes at most {@code limit} expired sessions and records; how many it removed. */
  int sweep(int limit);

  /** Looks through the whole store and reports what is not in order. */
  void check(Consumer<Finding> findings);

  /**
   * Does nothing but reach the backend.
   *
   * @throws ClewException.StoreUnavailable if it cannot be reached
   */
  void ping();

  /** What this store can do of what not every store can. */
  Set<Capability> capabilities();

  /** What an acknowledged write survives. */
  Durability durability();

  /** Calls in flight finish or fail with {@link ClewException.Closed}. Idempotent. */
  @Override
  void close();
}
