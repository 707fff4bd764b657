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

  /** The wrapped backend, for a call that changes nothing; override it to check such calls. */
  protected Backend reading() {
    return delegate;
  }

  /** The wrapped backend, for a call that may change something; override it to check such calls. */
  protected Backend writing() {
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
    return reading().read(key, range);
  }

  @Override
  public Receipt commit(SessionKey key, Commit commit) {
    return writing().commit(key, commit);
  }

  @Override
  public boolean delete(SessionKey key) {
    return writing().delete(key);
  }

  @Override
  public SessionInfo fork(Fork fork) {
    return writing().fork(fork);
  }

  @Override
  public Optional<SessionInfo> info(SessionKey key) {
    return reading().info(key);
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    return writing().update(key, update);
  }

  @Override
  public SessionPage list(SessionQuery query) {
    return reading().list(query);
  }

  @Override
  public List<String> owners(Optional<String> after, int limit) {
    return reading().owners(after, limit);
  }

  @Override
  public Changes changes(SessionKey key, long version) {
    return reading().changes(key, version);
  }

  @Override
  public Documents documents() {
    return delegate.documents();
  }

  @Override
  public void erase(String owner) {
    writing().erase(owner);
  }

  @Override
  public int sweep(int limit) {
    return writing().sweep(limit);
  }

  @Override
  public void ping() {
    reading().ping();
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
