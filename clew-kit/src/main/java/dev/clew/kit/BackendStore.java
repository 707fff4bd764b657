package dev.clew.kit;

import dev.clew.Documents;
import dev.clew.Finding;
import dev.clew.Leases;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionSettings;
import dev.clew.SessionStore;
import dev.clew.StoreTraits;
import dev.clew.StoredSession;
import dev.clew.spi.Backend;
import dev.clew.spi.Snapshots;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The {@link SessionStore} over a {@link Backend}: the one implementation of what users see.
 * Thread-safe.
 *
 * <p>Extend it, or create a store with {@link #of} and a decorator with {@link #decorate}.
 */
public class BackendStore implements SessionStore {
  private final CompleteBackend backend;
  private final SessionSettings settings;
  private final Clock clock;

  /** A store over a backend, which this store owns and closes. */
  protected BackendStore(Backend backend, StoreSettings settings) {
    this.backend = new CheckedBackend(backend, settings);
    this.settings = settings.sessions();
    this.clock = settings.clock();
  }

  /** A store whose calls go through a decorator first. Closing it closes {@code inner}. */
  protected BackendStore(SessionStore inner, UnaryOperator<Backend> decorator) {
    clock = inner instanceof BackendStore store ? store.clock : Clock.systemUTC();
    backend = new CompleteBackend(decorator.apply(Backend.of(inner)), clock);
    settings = inner.session(SessionKey.of("any")).settings();
  }

  /** A store over a backend. */
  public static SessionStore of(Backend backend, StoreSettings settings) {
    return new BackendStore(backend, settings);
  }

  /** A store whose calls go through a decorator first. Closing it closes {@code inner}. */
  public static SessionStore decorate(SessionStore inner, UnaryOperator<Backend> decorator) {
    return new BackendStore(inner, decorator);
  }

  /**
   * A read-only view of a store at this moment, while others keep writing. Close it soon. Empty if
   * the store has no snapshots; then every call sees its own moment.
   */
  public static Optional<SessionStore> snapshot(SessionStore store) {
    return store
        .feature(Snapshots.class)
        .flatMap(Snapshots::snapshot)
        .map(backend -> of(backend, StoreSettings.of("a snapshot").readOnly(true)));
  }

  @Override
  public final StoredSession session(String id) {
    return session(SessionKey.of(id));
  }

  @Override
  public final StoredSession session(SessionKey key) {
    return new BackendSession(this, backend, key, settings);
  }

  @Override
  public final SessionPage list(SessionQuery query) {
    return backend.list(query);
  }

  @Override
  public final SearchResult search(String words) {
    return search(SearchQuery.of(SessionKey.DEFAULT_OWNER, words));
  }

  @Override
  public final SearchResult search(SearchQuery query) {
    return backend.search(query);
  }

  @Override
  public final List<String> owners(Optional<String> after, int limit) {
    return backend.owners(after, limit);
  }

  @Override
  public final Documents documents() {
    return backend.documents();
  }

  @Override
  public final Leases leases() {
    return backend.leases();
  }

  @Override
  public final void erase(String owner) {
    backend.erase(owner);
  }

  @Override
  public final int sweep(int limit) {
    return backend.sweep(limit);
  }

  @Override
  public final void check(Consumer<Finding> findings) {
    backend.check(findings);
  }

  @Override
  public final void ping() {
    backend.ping();
  }

  @Override
  public final StoreTraits traits() {
    return backend.traits();
  }

  @Override
  public final <F> Optional<F> feature(Class<F> feature) {
    return feature == Backend.class ? Optional.of(feature.cast(backend)) : backend.feature(feature);
  }

  @Override
  public void close() {
    backend.close();
  }
}
