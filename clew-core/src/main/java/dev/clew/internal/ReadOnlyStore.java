package dev.clew.internal;

import dev.clew.Capability;
import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Documents;
import dev.clew.Documents.Document;
import dev.clew.Durability;
import dev.clew.Entry;
import dev.clew.Finding;
import dev.clew.ForkTransform;
import dev.clew.Leases;
import dev.clew.Receipt;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionEvent;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A store that can be read and not written: what a moment of another store was, or a backup. A
 * subclass says how entries, sessions, owners and records are read. As thread-safe as that.
 */
public abstract class ReadOnlyStore implements SessionStore {
  private final String what;

  /**
   * @param what what it is, as the errors name it
   */
  protected ReadOnlyStore(String what) {
    this.what = what;
  }

  private ClewException readOnly() {
    return new ClewException.NotSupported(what + " can be read only; open the store itself");
  }

  /** As {@link Documents#get}. */
  protected abstract Optional<Document> record(String owner, String name);

  /** As {@link Documents#list}; the limit is one that is allowed. */
  protected abstract List<Document> records(
      String owner, String prefix, Optional<String> after, int limit);

  /** As {@link SessionStore#owners}; the limit is one that is allowed. */
  protected abstract List<String> ownersAfter(Optional<String> after, int limit);

  @Override
  public final List<String> owners(Optional<String> after, int limit) {
    DocumentRules.checkLimit(limit);
    return ownersAfter(after, limit);
  }

  @Override
  public final Documents documents() {
    return new ReadOnlyRecords();
  }

  private final class ReadOnlyRecords implements Documents {
    @Override
    public Optional<Document> get(String owner, String name) {
      return record(owner, name);
    }

    @Override
    public List<Document> list(String owner, String prefix, Optional<String> after, int limit) {
      DocumentRules.checkLimit(limit);
      return records(owner, prefix, after, limit);
    }

    @Override
    public Document put(
        String owner,
        String name,
        String json,
        OptionalLong expectedVersion,
        Optional<Duration> timeToLive) {
      throw readOnly();
    }

    @Override
    public boolean delete(String owner, String name) {
      throw readOnly();
    }
  }

  @Override
  public Optional<Entry> find(SessionKey key, String itemId) {
    throw readOnly();
  }

  @Override
  public Receipt commit(SessionKey key, Commit transaction) {
    throw readOnly();
  }

  @Override
  public Optional<Entry> removeLast(SessionKey key) {
    throw readOnly();
  }

  @Override
  public boolean delete(SessionKey key) {
    throw readOnly();
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target) {
    throw readOnly();
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target, ForkTransform copying) {
    throw readOnly();
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    throw readOnly();
  }

  @Override
  public SearchResult search(SearchQuery query) {
    throw readOnly();
  }

  @Override
  public Watch watch(SessionKey key, long version, Consumer<SessionEvent> listener) {
    throw readOnly();
  }

  @Override
  public Leases leases() {
    throw readOnly();
  }

  @Override
  public void erase(String owner) {
    throw readOnly();
  }

  @Override
  public int sweep(int limit) {
    throw readOnly();
  }

  /** Damage is found where it is read. */
  @Override
  public void check(Consumer<Finding> findings) {}

  @Override
  public void ping() {}

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.SEALED_ITEMS);
  }

  @Override
  public Durability durability() {
    return Durability.POWER_LOSS;
  }
}
