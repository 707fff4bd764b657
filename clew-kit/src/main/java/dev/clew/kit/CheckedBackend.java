package dev.clew.kit;

import dev.clew.Capability;
import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Documents;
import dev.clew.Entry;
import dev.clew.Leases;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.spi.AsyncCommits;
import dev.clew.spi.Backend;
import dev.clew.spi.ChangePush;
import dev.clew.spi.Compression;
import dev.clew.spi.Fork;
import dev.clew.spi.Snapshots;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The checks of every store: refuses calls to a closed store, writes to one that was opened to
 * read, and invalid arguments. Writes a commit part by part if the backend cannot do it at once.
 * Thread-safe.
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

  @Override
  protected Backend reading() {
    if (closed) {
      throw new ClewException.Closed(settings.name() + " is closed; open it again");
    }
    return delegate();
  }

  @Override
  protected Backend writing() {
    Backend backend = reading();
    if (settings.readOnly()) {
      throw new ClewException.NotSupported(
          "this store was opened to read only; open it to write, then try again");
    }
    return backend;
  }

  /** For watchers of a backend that does not notice changes itself. */
  private <T> T changed(SessionKey key, T result) {
    if (!pushes) {
      ownChanges.changed(key);
    }
    return result;
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
    writing();
    commit.check(settings.limits());
    CommitInTurn.check(key, commit);
  }

  @Override
  public Optional<Entry> removeLast(SessionKey key) {
    writing();
    return changed(key, super.removeLast(key));
  }

  @Override
  public boolean delete(SessionKey key) {
    return changed(key, super.delete(key));
  }

  @Override
  public SessionInfo fork(Fork fork) {
    return changed(fork.target(), super.fork(fork));
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    return changed(key, super.update(key, update));
  }

  @Override
  public List<String> owners(Optional<String> after, int limit) {
    reading();
    DocumentRules.checkLimit(limit);
    return super.owners(after, limit);
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
    writing();
    SessionKey.checkOwner(owner);
    super.erase(owner);
    ownChanges.allChanged();
  }

  @Override
  public int sweep(int limit) {
    writing();
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative: " + limit);
    }
    int removed = super.sweep(limit);
    ownChanges.allChanged();
    return removed;
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
            reading();
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
      Backend backend = reading();
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
      Backend backend = writing();
      DocumentRules.checkName(owner, name);
      DocumentRules.checkJson(name, json);
      timeToLive.ifPresent(life -> TimeToLive.check("a document", life));
      return backend.documents().put(owner, name, json, expectedVersion, timeToLive);
    }

    @Override
    public boolean delete(String owner, String name) {
      Backend backend = writing();
      DocumentRules.checkName(owner, name);
      return backend.documents().delete(owner, name);
    }

    @Override
    public List<Document> list(String owner, String prefix, Optional<String> after, int limit) {
      Backend backend = reading();
      SessionKey.checkOwner(owner);
      DocumentRules.checkLimit(limit);
      return backend.documents().list(owner, prefix, after, limit);
    }
  }

  private final class CheckedLeases implements Leases {
    @Override
    public Optional<Grant> tryAcquire(
        SessionKey key, String name, String holder, Duration timeToLive) {
      writing();
      DocumentLeases.check(name, holder, timeToLive);
      return CheckedBackend.super.leases().tryAcquire(key, name, holder, timeToLive);
    }

    @Override
    public Optional<Grant> renew(Grant grant, Duration timeToLive) {
      writing();
      TimeToLive.check("a lease", timeToLive);
      return CheckedBackend.super.leases().renew(grant, timeToLive);
    }

    @Override
    public void release(Grant grant) {
      writing();
      CheckedBackend.super.leases().release(grant);
    }

    @Override
    public Optional<Grant> holder(SessionKey key, String name) {
      reading();
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
      reading();
      return compression.isWorthwhile(key);
    }

    @Override
    public Optional<Saving> compress(SessionKey key) {
      writing();
      return compression.compress(key);
    }

    @Override
    public boolean decompress(SessionKey key) {
      writing();
      return compression.decompress(key);
    }

    @Override
    public long shrink() {
      writing();
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
