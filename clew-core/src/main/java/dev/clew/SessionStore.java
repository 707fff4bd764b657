package dev.clew;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One opened backend that serves many sessions of many owners. Thread-safe; connections, locks,
 * caches and the schema belong to it, never to a session.
 *
 * <pre>{@code
 * try (SessionStore store = Stores.open("sqlite:conversations.db")) {
 *   store.session("user_123").addItems(List.of(Item.user("Hello")));
 * }
 * }</pre>
 *
 * <p>Names (owners, ids, titles, names of documents) are ordered by Unicode code point, which is
 * the order of their UTF-8 bytes. {@link String#compareTo} differs for characters beyond U+FFFF.
 *
 * <p>There is no call that returns all sessions, none that takes an id without its owner, none that
 * rewrites a whole history, and none that orders by time. To write a store of your own, see {@code
 * dev.clew.spi.Backend}.
 */
public interface SessionStore extends AutoCloseable {

  /** A handle on a session of the default owner. Never touches the backend. */
  StoredSession session(String id);

  /** A handle on a session. Never touches the backend; the session need not exist. */
  StoredSession session(SessionKey key);

  /** One page of an owner's sessions, in the order of {@link SessionQuery.Order}. */
  SessionPage list(SessionQuery query);

  /** The 20 best hits in all sessions of the default owner; see {@link SearchQuery} for more. */
  SearchResult search(String words);

  /**
   * Full-text search over message text and tool output.
   *
   * @throws ClewException.NotSupported without {@link Capability#SEARCH}
   */
  SearchResult search(SearchQuery query);

  /**
   * Owners that have sessions or documents, in the order of their names, after a name, at most
   * {@code limit}.
   */
  List<String> owners(Optional<String> after, int limit);

  /** Small JSON documents of an owner. */
  Documents documents();

  /** Leases on sessions; {@link StoredSession#lease} is easier to use. */
  Leases leases();

  /**
   * Removes everything of an owner, in bounded steps; repeat it after an interruption. Leases are
   * freed, but their fences keep growing: see {@link Leases}.
   */
  void erase(String owner);

  /** Removes at most {@code limit} expired sessions and documents; returns how many. */
  int sweep(int limit);

  /** Reads the whole store and reports problems. */
  void check(Consumer<Finding> findings);

  /**
   * Checks that the backend can be reached.
   *
   * @throws ClewException.StoreUnavailable if it cannot be reached
   */
  void ping();

  /** What an acknowledged write survives, and the optional capabilities of this store. */
  StoreTraits traits();

  /**
   * An optional feature by its interface in {@code dev.clew.spi}, such as {@code Compression};
   * empty if this store does not have it.
   */
  <F> Optional<F> feature(Class<F> feature);

  /** Calls in flight finish or fail with {@link ClewException.Closed}. Idempotent. */
  @Override
  void close();
}
