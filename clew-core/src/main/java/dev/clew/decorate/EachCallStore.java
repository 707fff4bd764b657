package dev.clew.decorate;

import dev.clew.Commit;
import dev.clew.Documents;
import dev.clew.Entry;
import dev.clew.EntryPage;
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
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A store every call of which, those of its leases and records too, goes through one method, where
 * it can be measured, bounded or repeated. As thread-safe as the store behind it.
 *
 * <p>Closing, {@code check}, compressing and what the store says of itself are passed on as they
 * are.
 */
public abstract class EachCallStore extends ForwardingStore {

  /** What a call does, and so what is safe to do with it. */
  protected enum Kind {
    /** It changes nothing. */
    READ,
    /** It changes something, and made twice it does the same as made once. */
    REPEATABLE,
    /** It has a condition that fails if it was made before. */
    CONDITIONAL,
    /** Made twice it has two effects. */
    ONCE
  }

  private final Leases leases = new EachLeaseCall();
  private final Documents records = new EachRecordCall();

  /** Passes calls on to {@code delegate}. */
  protected EachCallStore(SessionStore delegate) {
    super(delegate);
  }

  /** Makes a call; {@code name} is that of its method. */
  protected abstract <T> T call(String name, Kind kind, Supplier<T> call);

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
    return call("read", Kind.READ, () -> super.read(key, range));
  }

  @Override
  public List<Item> items(SessionKey key, int limit) {
    return call("items", Kind.READ, () -> super.items(key, limit));
  }

  @Override
  public PositionedItems newest(SessionKey key, int limit) {
    return call("newest", Kind.READ, () -> super.newest(key, limit));
  }

  @Override
  public Optional<Entry> find(SessionKey key, String itemId) {
    return call("find", Kind.READ, () -> super.find(key, itemId));
  }

  @Override
  public Receipt commit(SessionKey key, Commit transaction) {
    Kind kind = transaction.operationId().isPresent() ? Kind.REPEATABLE : Kind.ONCE;
    return call("apply", kind, () -> super.commit(key, transaction));
  }

  @Override
  public Optional<Entry> removeLast(SessionKey key) {
    return call("removeLast", Kind.ONCE, () -> super.removeLast(key));
  }

  @Override
  public boolean delete(SessionKey key) {
    return call("delete", Kind.REPEATABLE, () -> super.delete(key));
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target) {
    return call("fork", Kind.CONDITIONAL, () -> super.fork(source, upTo, target));
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target, ForkTransform copying) {
    return call("fork", Kind.CONDITIONAL, () -> super.fork(source, upTo, target, copying));
  }

  @Override
  public Optional<SessionInfo> info(SessionKey key) {
    return call("info", Kind.READ, () -> super.info(key));
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    return call("update", Kind.CONDITIONAL, () -> super.update(key, update));
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
    return call("search", Kind.READ, () -> super.search(query));
  }

  @Override
  public Watch watch(SessionKey key, long version, Consumer<SessionEvent> listener) {
    return call("watch", Kind.ONCE, () -> super.watch(key, version, listener));
  }

  @Override
  public Leases leases() {
    return leases;
  }

  @Override
  public Documents documents() {
    return records;
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

  /** Who holds a lease already is given it once more, so all of these may be repeated. */
  private final class EachLeaseCall implements Leases {
    private Leases behind() {
      return delegate().leases();
    }

    @Override
    public Optional<Grant> tryAcquire(SessionKey key, String name, String holder, Duration life) {
      return call(
          "leases.tryAcquire", Kind.REPEATABLE, () -> behind().tryAcquire(key, name, holder, life));
    }

    @Override
    public Optional<Grant> renew(Grant grant, Duration life) {
      return call("leases.renew", Kind.REPEATABLE, () -> behind().renew(grant, life));
    }

    @Override
    public void release(Grant grant) {
      run("leases.release", Kind.REPEATABLE, () -> behind().release(grant));
    }

    @Override
    public Optional<Grant> holder(SessionKey key, String name) {
      return call("leases.holder", Kind.READ, () -> behind().holder(key, name));
    }
  }

  private final class EachRecordCall implements Documents {
    private Documents behind() {
      return delegate().documents();
    }

    @Override
    public Optional<Document> get(String owner, String name) {
      return call("records.get", Kind.READ, () -> behind().get(owner, name));
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
          () -> behind().put(owner, name, json, expectedVersion, timeToLive));
    }

    @Override
    public boolean delete(String owner, String name) {
      return call("records.delete", Kind.REPEATABLE, () -> behind().delete(owner, name));
    }

    @Override
    public List<Document> list(String owner, String prefix, Optional<String> after, int limit) {
      return call("records.list", Kind.READ, () -> behind().list(owner, prefix, after, limit));
    }
  }
}
