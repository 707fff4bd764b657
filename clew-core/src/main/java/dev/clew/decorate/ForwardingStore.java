package dev.clew.decorate;

import dev.clew.Capability;
import dev.clew.Commit;
import dev.clew.Compression;
import dev.clew.Documents;
import dev.clew.Durability;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Finding;
import dev.clew.ForkTransform;
import dev.clew.Item;
import dev.clew.Leases;
import dev.clew.PositionedItems;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionEvent;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionSettings;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.Watch;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A store that passes every call on to another; override what shall differ. As thread-safe as the
 * store behind it.
 *
 * <p>Handles from {@link #session} come back through this store, so a decoration cannot be walked
 * around. What a session reads comes through {@link #items}, which many stores answer from a cache,
 * or through {@link #read}: who changes one of them changes both. It has no {@linkplain #feature
 * features} but those of its own. Closing closes the store behind.
 */
public abstract class ForwardingStore implements SessionStore {
  private final SessionStore delegate;

  /** Passes calls on to {@code delegate}. */
  protected ForwardingStore(SessionStore delegate) {
    this.delegate = Objects.requireNonNull(delegate, "delegate");
  }

  /** The store behind. */
  protected SessionStore delegate() {
    return delegate;
  }

  @Override
  public SessionSettings settings() {
    return delegate.settings();
  }

  @Override
  public EntryPage read(SessionKey key, Range range) {
    return delegate.read(key, range);
  }

  @Override
  public List<Item> items(SessionKey key, int limit) {
    return delegate.items(key, limit);
  }

  @Override
  public PositionedItems newest(SessionKey key, int limit) {
    return delegate.newest(key, limit);
  }

  @Override
  public Optional<Entry> find(SessionKey key, String itemId) {
    return delegate.find(key, itemId);
  }

  @Override
  public Receipt commit(SessionKey key, Commit transaction) {
    return delegate.commit(key, transaction);
  }

  @Override
  public Optional<Entry> removeLast(SessionKey key) {
    return delegate.removeLast(key);
  }

  @Override
  public boolean delete(SessionKey key) {
    return delegate.delete(key);
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target) {
    return delegate.fork(source, upTo, target);
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target, ForkTransform copying) {
    return delegate.fork(source, upTo, target, copying);
  }

  @Override
  public void refuseDamage() {
    delegate.refuseDamage();
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
  public SearchResult search(SearchQuery query) {
    return delegate.search(query);
  }

  @Override
  public Watch watch(SessionKey key, long version, Consumer<SessionEvent> listener) {
    return delegate.watch(key, version, listener);
  }

  @Override
  public Optional<SessionStore> snapshot() {
    return delegate.snapshot();
  }

  @Override
  public Leases leases() {
    return delegate.leases();
  }

  @Override
  public Documents documents() {
    return delegate.documents();
  }

  @Override
  public Compression compression() {
    return delegate.compression();
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
  public void check(Consumer<Finding> findings) {
    delegate.check(findings);
  }

  @Override
  public void ping() {
    delegate.ping();
  }

  @Override
  public Set<Capability> capabilities() {
    return delegate.capabilities();
  }

  @Override
  public Durability durability() {
    return delegate.durability();
  }

  @Override
  public void close() {
    delegate.close();
  }
}
