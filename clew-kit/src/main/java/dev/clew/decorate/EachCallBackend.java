package dev.clew.decorate;

import dev.clew.Commit;
import dev.clew.Documents;
import dev.clew.Entry;
import dev.clew.EntryPage;
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
import dev.clew.kit.ForwardingBackend;
import dev.clew.spi.Backend;
import dev.clew.spi.Changes;
import dev.clew.spi.Fork;
import dev.clew.spi.ItemLookup;
import dev.clew.spi.LastRemoval;
import dev.clew.spi.NativeLeases;
import dev.clew.spi.PositionedItems;
import dev.clew.spi.RecentItems;
import dev.clew.spi.TextIndex;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * A decorator that sends every call, those of leases and documents too, through one method, where
 * it can be measured, bounded or retried. As thread-safe as the backend it wraps.
 *
 * <p>Closing, checks, compression and traits are passed on directly.
 */
public abstract class EachCallBackend extends ForwardingBackend
    implements RecentItems, ItemLookup, LastRemoval, TextIndex, NativeLeases {

  /** What a call does, and therefore whether it can be retried. */
  protected enum Kind {
    /** It changes nothing. */
    READ,
    /** It changes something, and twice has the same effect as once. */
    REPEATABLE,
    /** It has a condition that fails if it was made before. */
    CONDITIONAL,
    /** Twice has two effects. */
    ONCE
  }

  private final RecentItems recent;
  private final ItemLookup lookup;
  private final LastRemoval removal;
  private final TextIndex index;
  private final Leases leases;
  private final Documents documents = new EachDocumentCall();

  /** Passes calls on to the backend of a store, which has all these features. */
  protected EachCallBackend(Backend delegate) {
    super(delegate);
    recent = delegate.feature(RecentItems.class).orElseThrow();
    lookup = delegate.feature(ItemLookup.class).orElseThrow();
    removal = delegate.feature(LastRemoval.class).orElseThrow();
    index = delegate.feature(TextIndex.class).orElseThrow();
    leases = new EachLeaseCall(delegate.feature(NativeLeases.class).orElseThrow().leases());
  }

  /**
   * Makes a call.
   *
   * @param name the method
   * @param key the session, if the call is about one
   */
  protected abstract <T> T call(String name, Kind kind, Optional<SessionKey> key, Supplier<T> call);

  private <T> T call(String name, Kind kind, SessionKey key, Supplier<T> call) {
    return call(name, kind, Optional.of(key), call);
  }

  private <T> T call(String name, Kind kind, Supplier<T> call) {
    return call(name, kind, Optional.empty(), call);
  }

  private void run(String name, Kind kind, Runnable call) {
    call(
        name,
        kind,
        () -> {
          call.run();
          return true;
        });
  }

  @Override
  public EntryPage read(SessionKey key, Range range) {
    return call("read", Kind.READ, key, () -> super.read(key, range));
  }

  @Override
  public List<Item> items(SessionKey key, int limit) {
    return call("items", Kind.READ, key, () -> recent.items(key, limit));
  }

  @Override
  public PositionedItems newest(SessionKey key, int limit) {
    return call("newest", Kind.READ, key, () -> recent.newest(key, limit));
  }

  @Override
  public int atHand() {
    return recent.atHand();
  }

  @Override
  public Optional<Entry> find(SessionKey key, String itemId) {
    return call("find", Kind.READ, key, () -> lookup.find(key, itemId));
  }

  @Override
  public Receipt commit(SessionKey key, Commit commit) {
    Kind kind = commit.operationId().isPresent() ? Kind.REPEATABLE : Kind.ONCE;
    return call("apply", kind, key, () -> super.commit(key, commit));
  }

  @Override
  public Optional<Entry> removeLast(SessionKey key) {
    return call("removeLast", Kind.ONCE, key, () -> removal.removeLast(key));
  }

  @Override
  public boolean delete(SessionKey key) {
    return call("delete", Kind.REPEATABLE, key, () -> super.delete(key));
  }

  @Override
  public SessionInfo fork(Fork fork) {
    return call("fork", Kind.CONDITIONAL, fork.source(), () -> super.fork(fork));
  }

  @Override
  public Optional<SessionInfo> info(SessionKey key) {
    return call("info", Kind.READ, key, () -> super.info(key));
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    return call("update", Kind.CONDITIONAL, key, () -> super.update(key, update));
  }

  @Override
  public SessionPage list(SessionQuery query) {
    return call("list", Kind.READ, () -> super.list(query));
  }

  @Override
  public List<String> owners(Optional<String> after, int limit) {
    return call("owners", Kind.READ, () -> super.owners(after, limit));
  }

  @Override
  public SearchResult search(SearchQuery query) {
    return call("search", Kind.READ, () -> index.search(query));
  }

  @Override
  public Changes changes(SessionKey key, long version) {
    return call("changes", Kind.READ, key, () -> super.changes(key, version));
  }

  @Override
  public Leases leases() {
    return leases;
  }

  @Override
  public Documents documents() {
    return documents;
  }

  @Override
  public void erase(String owner) {
    run("erase", Kind.REPEATABLE, () -> super.erase(owner));
  }

  @Override
  public int sweep(int limit) {
    return call("sweep", Kind.REPEATABLE, () -> super.sweep(limit));
  }

  @Override
  public void ping() {
    run("ping", Kind.READ, super::ping);
  }

  /** A holder gets its lease again, so all of these may be repeated. */
  private final class EachLeaseCall implements Leases {
    private final Leases wrapped;

    EachLeaseCall(Leases wrapped) {
      this.wrapped = wrapped;
    }

    @Override
    public Optional<Grant> tryAcquire(SessionKey key, String name, String holder, Duration life) {
      return call(
          "leases.tryAcquire",
          Kind.REPEATABLE,
          key,
          () -> wrapped.tryAcquire(key, name, holder, life));
    }

    @Override
    public Optional<Grant> renew(Grant grant, Duration life) {
      return call("leases.renew", Kind.REPEATABLE, grant.key(), () -> wrapped.renew(grant, life));
    }

    @Override
    public void release(Grant grant) {
      run("leases.release", Kind.REPEATABLE, () -> wrapped.release(grant));
    }

    @Override
    public Optional<Grant> holder(SessionKey key, String name) {
      return call("leases.holder", Kind.READ, key, () -> wrapped.holder(key, name));
    }
  }

  private final class EachDocumentCall implements Documents {
    private Documents wrapped() {
      return delegate().documents();
    }

    @Override
    public Optional<Document> get(String owner, String name) {
      return call("records.get", Kind.READ, () -> wrapped().get(owner, name));
    }

    @Override
    public Document put(
        String owner,
        String name,
        String json,
        OptionalLong expectedVersion,
        Optional<Duration> timeToLive) {
      return call(
          "records.put",
          Kind.CONDITIONAL,
          () -> wrapped().put(owner, name, json, expectedVersion, timeToLive));
    }

    @Override
    public boolean delete(String owner, String name) {
      return call("records.delete", Kind.REPEATABLE, () -> wrapped().delete(owner, name));
    }

    @Override
    public List<Document> list(String owner, String prefix, Optional<String> after, int limit) {
      return call("records.list", Kind.READ, () -> wrapped().list(owner, prefix, after, limit));
    }
  }
}
