package dev.clew.spi;

import dev.clew.Capability;
import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Documents;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoreTraits;
import java.util.List;
import java.util.Optional;

/**
 * What the author of a store implements. Thread-safe.
 *
 * <p>{@code dev.clew.kit.BackendStore} makes a {@link SessionStore} of it. It checks arguments and
 * limits, refuses calls to a closed store, keeps leases, delivers changes to watchers, searches and
 * pops. A backend does storage and nothing else, and may rely on checked arguments.
 *
 * <h2>What the contract asks of it</h2>
 *
 * <ul>
 *   <li>Names are ordered by Unicode code point ({@code dev.clew.kit.TextOrder}).
 *   <li>Positions: see {@link Commit}. Appended entries get positions above every position ever
 *       used in the session, entries that replace a prefix positions below. A position is never
 *       reused.
 *   <li>Versions grow with every change of a session, its description included, and keep growing
 *       after the session was deleted. Events: see {@link dev.clew.SessionEvent}; a replaced suffix
 *       makes a removal and an append.
 *   <li>{@link #erase} frees leases but keeps their fences growing; see {@link dev.clew.Leases}.
 *   <li>Times given by a commit are kept, see {@link Commit#times}.
 *   <li>An expired session does not exist for any call; {@link #sweep} removes its remains.
 * </ul>
 *
 * <p>Run the rules: extend {@code dev.clew.tck.StoreContract}.
 */
public interface Backend extends AutoCloseable {

  /** The backend of a store, for decorators and tools. */
  static Backend of(SessionStore store) {
    return store
        .feature(Backend.class)
        .orElseThrow(() -> new ClewException.NotSupported("this store has no backend to decorate"));
  }

  /**
   * Entries by position. One that cannot be read back is left out, and its position is in {@link
   * EntryPage#damaged}.
   */
  EntryPage read(SessionKey key, Range range);

  /**
   * The only write of a history. A commit with a document or a time to live arrives here only with
   * {@link Capability#ATOMIC_DOCUMENTS}.
   *
   * @throws ClewException.VersionConflict if an expectation does not hold
   * @throws ClewException.SessionBusy if the fence is outdated
   */
  Receipt commit(SessionKey key, Commit commit);

  /**
   * Removes a session with everything that belongs to it but its leases; returns whether it
   * existed.
   */
  boolean delete(SessionKey key);

  /**
   * Creates a session with a part of the history of another. It gets title, metadata, tags and time
   * to live of the source, but is neither pinned nor archived.
   *
   * @throws ClewException.VersionConflict if the target exists or the source does not
   */
  SessionInfo fork(Fork fork);

  /** What is known of a session; empty if it does not exist or has expired. */
  Optional<SessionInfo> info(SessionKey key);

  /** Changes a session's description, and creates the session if needed. */
  SessionInfo update(SessionKey key, SessionUpdate update);

  /** One page of an owner's sessions, in the order of {@link SessionQuery.Order}. */
  SessionPage list(SessionQuery query);

  /** Owners that have sessions or documents, in order, after a name. */
  List<String> owners(Optional<String> after, int limit);

  /** What happened to a session after a version. */
  Changes changes(SessionKey key, long version);

  /** The documents. Names, texts and times to live are already checked. */
  Documents documents();

  /** Removes everything of an owner, in bounded steps. */
  void erase(String owner);

  /** Removes at most {@code limit} expired sessions and documents; returns how many. */
  int sweep(int limit);

  /** Checks that the storage can be reached. */
  void ping();

  /** What an acknowledged write survives, and the optional capabilities. */
  StoreTraits traits();

  /** Releases everything. Called once. */
  @Override
  void close();

  /**
   * An optional interface of this package that this backend implements. A decorator answers for
   * itself: it must not pass on what would bypass a method that it overrides.
   */
  default <F> Optional<F> feature(Class<F> feature) {
    return feature.isInstance(this) ? Optional.of(feature.cast(this)) : Optional.empty();
  }
}
