package dev.clew.kit;

import dev.clew.Capability;
import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Documents;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Leases;
import dev.clew.Range;
import dev.clew.Receipt;
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
import dev.clew.spi.ItemLookup;
import dev.clew.spi.LastRemoval;
import dev.clew.spi.NativeLeases;
import dev.clew.spi.PositionedItems;
import dev.clew.spi.RecentItems;
import dev.clew.spi.SelfCheck;
import dev.clew.spi.Snapshots;
import dev.clew.spi.TextIndex;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What every store does before its backend is asked: refuses calls to a closed store, writes to one
 * that was opened to read, and arguments that no store takes. Writes a commit part by part where
 * the backend cannot do it at once. Thread-safe.
 */
final class CheckedBackend extends ForwardingBackend {
  private final StoreSettings settings;
  private final boolean atomicDocuments;
  private final Documents documents;
  private final OwnChanges ownChanges = new OwnChanges();
  private final boolean pushes;
  private volatile boolean closed;

  CheckedBackend(Backend backend, StoreSettings settings) {
    super(backend);
    this.settings = settings;
    this.atomicDocuments = backend.traits().has(Capability.ATOMIC_DOCUMENTS);
    this.documents = new CheckedDocuments();
    this.pushes = backend.feature(ChangePush.class).isPresent();
  }

  private Backend open() {
    if (closed) {
      throw new ClewException.Closed(settings.name() + " is closed; open it again");
    }
    return delegate();
  }

  private Backend writable() {
    Backend backend = open();
    if (settings.readOnly()) {
      throw new ClewException.NotSupported(
          "this store was opened to read only; open it to write, then try again");
    }
    return backend;
  }

  /** Watchers of a backend that does not notice changes by itself hear of ours. */
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
    return open().read(key, range);
  }

  @Override
  public Receipt commit(SessionKey key, Commit commit) {
    Backend backend = check(key, commit);
    return commit.isHistoryOnly() || atomicDocuments
        ? changed(key, backend.commit(key, CommitInTurn.effective(commit)))
        : CommitInTurn.run(this, key, commit);
  }

  private Backend check(SessionKey key, Commit commit) {
    Backend backend = writable();
    commit.check(settings.limits());
    CommitInTurn.check(key, commit);
    return backend;
  }

  private CompletableFuture<Receipt> commitAsync(
      AsyncCommits async, SessionKey key, Commit commit) {
    try {
      check(key, commit);
      return commit.isHistoryOnly() || atomicDocuments
          ? async
              .commitAsync(key, CommitInTurn.effective(commit))
              .thenApply(receipt -> changed(key, receipt))
          : CompletableFuture.completedFuture(commit(key, commit));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public boolean delete(SessionKey key) {
    return changed(key, writable().delete(key));
  }

  @Override
  public SessionInfo fork(Fork fork) {
    return changed(fork.target(), writable().fork(fork));
  }

  @Override
  public Optional<SessionInfo> info(SessionKey key) {
    return open().info(key);
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    return changed(key, writable().update(key, update));
  }

  @Override
  public SessionPage list(SessionQuery query) {
    return open().list(query);
  }

  @Override
  public List<String> owners(Optional<String> after, int limit) {
    Backend backend = open();
    DocumentRules.checkLimit(limit);
    return backend.owners(after, limit);
  }

  @Override
  public Changes changes(SessionKey key, long version) {
    return open().changes(key, version);
  }

  @Override
  public Documents documents() {
    return documents;
  }

  @Override
  public void erase(String owner) {
    Backend backend = writable();
    SessionKey.checkOwner(owner);
    backend.erase(owner);
    ownChanges.allChanged();
  }

  @Override
  public int sweep(int limit) {
    Backend backend = writable();
    checkLimit(limit);
    int removed = backend.sweep(limit);
    ownChanges.allChanged();
    return removed;
  }

  @Override
  public void ping() {
    open().ping();
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
    return delegate().feature(feature).map(found -> feature.cast(checked(feature, found)));
  }

  private Object checked(Class<?> feature, Object found) {
    if (feature == RecentItems.class) {
      return new CheckedRecentItems((RecentItems) found);
    }
    if (feature == ItemLookup.class) {
      return (ItemLookup) (key, id) -> whileOpen((ItemLookup) found).find(key, id);
    }
    if (feature == LastRemoval.class) {
      return (LastRemoval)
          key -> {
            writable();
            return changed(key, ((LastRemoval) found).removeLast(key));
          };
    }
    if (feature == TextIndex.class) {
      return (TextIndex) query -> whileOpen((TextIndex) found).search(query);
    }
    if (feature == SelfCheck.class) {
      return (SelfCheck) findings -> whileOpen((SelfCheck) found).check(findings);
    }
    if (feature == Snapshots.class) {
      return (Snapshots) () -> whileOpen((Snapshots) found).snapshot();
    }
    if (feature == AsyncCommits.class) {
      return (AsyncCommits) (key, commit) -> commitAsync((AsyncCommits) found, key, commit);
    }
    if (feature == NativeLeases.class) {
      return (NativeLeases) () -> new CheckedLeases((NativeLeases) found);
    }
    if (feature == Compression.class) {
      return new CheckedCompression((Compression) found);
    }
    return found;
  }

  private <F> F whileOpen(F feature) {
    open();
    return feature;
  }

  private final class CheckedRecentItems implements RecentItems {
    private final RecentItems items;

    CheckedRecentItems(RecentItems items) {
      this.items = items;
    }

    @Override
    public List<Item> items(SessionKey key, int limit) {
      open();
      return items.items(key, limit);
    }

    @Override
    public PositionedItems newest(SessionKey key, int limit) {
      open();
      return items.newest(key, limit);
    }
  }

  private final class CheckedDocuments implements Documents {
    @Override
    public Optional<Document> get(String owner, String name) {
      Backend backend = open();
      DocumentRules.checkName(owner, name);
      return backend.documents().get(owner, name);
    }

    @Override
    public Document put(
        String owner,
        String name,
        String json,
        OptionalLong expectedVersion,
        Optional<Duration> timeToLive) {
      Backend backend = writable();
      DocumentRules.checkName(owner, name);
      DocumentRules.checkJson(name, json);
      timeToLive.ifPresent(life -> TimeToLive.check("a document", life));
      return backend.documents().put(owner, name, json, expectedVersion, timeToLive);
    }

    @Override
    public boolean delete(String owner, String name) {
      Backend backend = writable();
      DocumentRules.checkName(owner, name);
      return backend.documents().delete(owner, name);
    }

    @Override
    public List<Document> list(String owner, String prefix, Optional<String> after, int limit) {
      Backend backend = open();
      SessionKey.checkOwner(owner);
      DocumentRules.checkLimit(limit);
      return backend.documents().list(owner, prefix, after, limit);
    }
  }

  private final class CheckedLeases implements Leases {
    private final NativeLeases leases;

    CheckedLeases(NativeLeases leases) {
      this.leases = leases;
    }

    @Override
    public Optional<Grant> tryAcquire(
        SessionKey key, String name, String holder, Duration timeToLive) {
      writable();
      DocumentLeases.check(name, holder, timeToLive);
      return leases.leases().tryAcquire(key, name, holder, timeToLive);
    }

    @Override
    public Optional<Grant> renew(Grant grant, Duration timeToLive) {
      writable();
      TimeToLive.check("a lease", timeToLive);
      return leases.leases().renew(grant, timeToLive);
    }

    @Override
    public void release(Grant grant) {
      writable();
      leases.leases().release(grant);
    }

    @Override
    public Optional<Grant> holder(SessionKey key, String name) {
      open();
      return leases.leases().holder(key, name);
    }
  }

  private final class CheckedCompression implements Compression {
    private final Compression compression;

    CheckedCompression(Compression compression) {
      this.compression = compression;
    }

    @Override
    public boolean isWorthwhile(SessionKey key) {
      open();
      return compression.isWorthwhile(key);
    }

    @Override
    public Optional<Saving> compress(SessionKey key) {
      writable();
      return compression.compress(key);
    }

    @Override
    public boolean decompress(SessionKey key) {
      writable();
      return compression.decompress(key);
    }

    @Override
    public long shrink() {
      writable();
      return compression.shrink();
    }
  }

  /** Tells watchers of what is written through this store. */
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
