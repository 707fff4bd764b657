package dev.clew.kit;

import dev.clew.Capability;
import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Documents;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Finding;
import dev.clew.Item;
import dev.clew.Leases;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.spi.AsyncCommits;
import dev.clew.spi.Backend;
import dev.clew.spi.ChangePush;
import dev.clew.spi.Changes;
import dev.clew.spi.Compression;
import dev.clew.spi.Fork;
import dev.clew.spi.PositionedItems;
import dev.clew.spi.Snapshots;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * What every store does before its backend is asked: refuses calls to a closed store, writes to one
 * that was opened to read, and arguments that no store takes. Writes a commit part by part where
 * the backend cannot do it at once. Thread-safe.
 */
final class CheckedBackend extends CompleteBackend {
  private final StoreSettings settings;
  private final boolean atomicDocuments;
  private final Documents documents = new CheckedDocuments();
  private final Leases leases = new CheckedLeases();
  private final OwnChanges ownChanges = new OwnChanges();
  private final boolean pushes;
  private volatile boolean closed;

  CheckedBackend(Backend backend, StoreSettings settings) {
    super(backend, settings.clock());
    this.settings = settings;
    this.atomicDocuments = backend.traits().has(Capability.ATOMIC_DOCUMENTS);
    this.pushes = backend.feature(ChangePush.class).isPresent();
  }

  private void requireOpen() {
    if (closed) {
      throw new ClewException.Closed(settings.name() + " is closed; open it again");
    }
  }

  private void requireWritable() {
    requireOpen();
    if (settings.readOnly()) {
      throw new ClewException.NotSupported(
          "this store was opened to read only; open it to write, then try again");
    }
  }

  /** For watchers of a backend that does not notice changes itself. */
  private <T> T changed(SessionKey key, T result) {
    if (!pushes) {
      ownChanges.changed(key);
    }
    return result;
  }

  private static void checkLimit(int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative: " + limit);
    }
  }

  @Override
  public EntryPage read(SessionKey key, Range range) {
    requireOpen();
    return super.read(key, range);
  }

  @Override
  public List<Item> items(SessionKey key, int limit) {
    requireOpen();
    return super.items(key, limit);
  }

  @Override
  public PositionedItems newest(SessionKey key, int limit) {
    requireOpen();
    return super.newest(key, limit);
  }

  @Override
  public Optional<Entry> find(SessionKey key, String itemId) {
    requireOpen();
    return super.find(key, itemId);
  }

  @Override
  public Receipt commit(SessionKey key, Commit commit) {
    check(key, commit);
    return isOneWrite(commit)
        ? changed(key, super.commit(key, CommitInTurn.effective(commit)))
        : CommitInTurn.run(this, key, commit);
  }

  @Override
  CompletableFuture<Receipt> commitAsync(SessionKey key, Commit commit) {
    try {
      check(key, commit);
      return isOneWrite(commit)
          ? super.commitAsync(key, CommitInTurn.effective(commit))
              .thenApply(receipt -> changed(key, receipt))
          : CompletableFuture.completedFuture(commit(key, commit));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private boolean isOneWrite(Commit commit) {
    return commit.isHistoryOnly() || atomicDocuments;
  }

  private void check(SessionKey key, Commit commit) {
    requireWritable();
    commit.check(settings.limits());
    CommitInTurn.check(key, commit);
  }

  @Override
  public Optional<Entry> removeLast(SessionKey key) {
    requireWritable();
    return changed(key, super.removeLast(key));
  }

  @Override
  public boolean delete(SessionKey key) {
    requireWritable();
    return changed(key, super.delete(key));
  }

  @Override
  public SessionInfo fork(Fork fork) {
    requireWritable();
    return changed(fork.target(), super.fork(fork));
  }

  @Override
  public Optional<SessionInfo> info(SessionKey key) {
    requireOpen();
    return super.info(key);
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    requireWritable();
    return changed(key, super.update(key, update));
  }

  @Override
  public SessionPage list(SessionQuery query) {
    requireOpen();
    return super.list(query);
  }

  @Override
  public SearchResult search(SearchQuery query) {
    requireOpen();
    return super.search(query);
  }

  @Override
  public List<String> owners(Optional<String> after, int limit) {
    requireOpen();
    DocumentRules.checkLimit(limit);
    return super.owners(after, limit);
  }

  @Override
  public Changes changes(SessionKey key, long version) {
    requireOpen();
    return super.changes(key, version);
  }

  @Override
  public Documents documents() {
    return documents;
  }

  @Override
  public Leases leases() {
    return leases;
  }

  @Override
  public void erase(String owner) {
    requireWritable();
    SessionKey.checkOwner(owner);
    super.erase(owner);
    ownChanges.allChanged();
  }

  @Override
  public int sweep(int limit) {
    requireWritable();
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative: " + limit);
    }
    int removed = super.sweep(limit);
    ownChanges.allChanged();
    return removed;
  }

  @Override
  public void check(Consumer<Finding> findings) {
    requireOpen();
    super.check(findings);
  }

  @Override
  public void ping() {
    requireOpen();
    super.ping();
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      super.close();
    }
  }

  @Override
  public <F> Optional<F> feature(Class<F> feature) {
    if (feature == ChangePush.class && !pushes) {
      return Optional.of(feature.cast(ownChanges));
    }
    return super.feature(feature).map(found -> feature.cast(checked(feature, found)));
  }

  private Object checked(Class<?> feature, Object found) {
    if (feature == Snapshots.class) {
      return (Snapshots)
          () -> {
            requireOpen();
            return ((Snapshots) found).snapshot();
          };
    }
    if (feature == AsyncCommits.class) {
      return (AsyncCommits) this::commitAsync;
    }
    return feature == Compression.class ? new CheckedCompression((Compression) found) : found;
  }

  private final class CheckedDocuments implements Documents {
    @Override
    public Optional<Document> get(String owner, String name) {
      requireOpen();
      DocumentRules.checkName(owner, name);
      return delegate().documents().get(owner, name);
    }

    @Override
    public Document put(
        String owner,
        String name,
        String json,
        OptionalLong expectedVersion,
        Optional<Duration> timeToLive) {
      requireWritable();
      DocumentRules.checkName(owner, name);
      DocumentRules.checkJson(name, json);
      timeToLive.ifPresent(life -> TimeToLive.check("a document", life));
      return delegate().documents().put(owner, name, json, expectedVersion, timeToLive);
    }

    @Override
    public boolean delete(String owner, String name) {
      requireWritable();
      DocumentRules.checkName(owner, name);
      return delegate().documents().delete(owner, name);
    }

    @Override
    public List<Document> list(String owner, String prefix, Optional<String> after, int limit) {
      requireOpen();
      SessionKey.checkOwner(owner);
      DocumentRules.checkLimit(limit);
      return delegate().documents().list(owner, prefix, after, limit);
    }
  }

  private final class CheckedLeases implements Leases {
    @Override
    public Optional<Grant> tryAcquire(
        SessionKey key, String name, String holder, Duration timeToLive) {
      requireWritable();
      DocumentLeases.check(name, holder, timeToLive);
      return CheckedBackend.super.leases().tryAcquire(key, name, holder, timeToLive);
    }

    @Override
    public Optional<Grant> renew(Grant grant, Duration timeToLive) {
      requireWritable();
      TimeToLive.check("a lease", timeToLive);
      return CheckedBackend.super.leases().renew(grant, timeToLive);
    }

    @Override
    public void release(Grant grant) {
      requireWritable();
      CheckedBackend.super.leases().release(grant);
    }

    @Override
    public Optional<Grant> holder(SessionKey key, String name) {
      requireOpen();
      return CheckedBackend.super.leases().holder(key, name);
    }
  }

  private final class CheckedCompression implements Compression {
    private final Compression compression;

    CheckedCompression(Compression compression) {
      this.compression = compression;
    }

    @Override
    public boolean isWorthwhile(SessionKey key) {
      requireOpen();
      return compression.isWorthwhile(key);
    }

    @Override
    public Optional<Saving> compress(SessionKey key) {
      requireWritable();
      return compression.compress(key);
    }

    @Override
    public boolean decompress(SessionKey key) {
      requireWritable();
      return compression.decompress(key);
    }

    @Override
    public long shrink() {
      requireWritable();
      return compression.shrink();
    }
  }

  /** Notifies watchers of what is written through this store. */
  private static final class OwnChanges implements ChangePush {
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    @Override
    public void attach(Listener listener) {
      listeners.add(listener);
    }

    void changed(SessionKey key) {
      listeners.forEach(listener -> listener.changed(key));
    }

    void allChanged() {
      listeners.forEach(listener -> listener.watched().forEach(listener::changed));
    }
  }
}
