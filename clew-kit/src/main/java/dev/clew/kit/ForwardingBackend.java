package dev.clew.kit;

import dev.clew.Commit;
import dev.clew.Documents;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.StoreTraits;
import dev.clew.spi.Backend;
import dev.clew.spi.ChangePush;
import dev.clew.spi.Changes;
import dev.clew.spi.Compression;
import dev.clew.spi.Fork;
import dev.clew.spi.Inspection;
import dev.clew.spi.NativeLeases;
import dev.clew.spi.SelfCheck;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A backend that passes every call on to another; override what differs. As thread-safe as the one
 * it wraps.
 *
 * <p>Features that carry no content are passed on: leases, notices of changes, checks, compression.
 * Those that would bypass {@link #read} or {@link #commit} are not, unless the decorator overrides
 * {@link #feature}: without them the store above uses {@code read} and {@code commit}, so an
 * override is never bypassed. Closing closes the wrapped backend.
 */
public abstract class ForwardingBackend implements Backend {
  private static final Set<Class<?>> PASSED_ON =
      Set.of(
          NativeLeases.class,
          ChangePush.class,
          SelfCheck.class,
          Inspection.class,
          Compression.class);

  private final Backend delegate;

  /** Passes calls on to {@code delegate}. */
  protected ForwardingBackend(Backend delegate) {
    this.delegate = Objects.requireNonNull(delegate, "delegate");
  }

  /** The wrapped backend. */
  protected final Backend delegate() {
    return delegate;
  }

  @Override
  public <F> Optional<F> feature(Class<F> feature) {
    return feature.isInstance(this)
        ? Optional.of(feature.cast(this))
        : PASSED_ON.contains(feature) ? delegate.feature(feature) : Optional.empty();
  }

  @Override
  public EntryPage read(SessionKey key, Range range) {
    return delegate.read(key, range);
  }

  @Override
  public Receipt commit(SessionKey key, Commit commit) {
    return delegate.commit(key, commit);
  }

  @Override
  public boolean delete(SessionKey key) {
    return delegate.delete(key);
  }

  @Override
  public SessionInfo fork(Fork fork) {
    return delegate.fork(fork);
  }

  @Override
  public Optional<SessionInfo> info(SessionKey key) {
    return delegate.info(key);
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    return delegate.update(key, update);
  }

  @Override
  public SessionPage list(SessionQuery query) {
    return delegate.list(query);
  }

  @Override
  public List<String> owners(Optional<String> after, int limit) {
    return delegate.owners(after, limit);
  }

  @Override
  public Changes changes(SessionKey key, long version) {
    return delegate.changes(key, version);
  }

  @Override
  public Documents documents() {
    return delegate.documents();
  }

  @Override
  public void erase(String owner) {
    delegate.erase(owner);
  }

  @Override
  public int sweep(int limit) {
    return delegate.sweep(limit);
  }

  @Override
  public void ping() {
    delegate.ping();
  }

  @Override
  public StoreTraits traits() {
    return delegate.traits();
  }

  @Override
  public void close() {
    delegate.close();
  }
}
