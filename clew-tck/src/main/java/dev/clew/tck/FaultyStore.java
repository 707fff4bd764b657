package dev.clew.tck;

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
import dev.clew.SessionEvent;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.Watch;
import dev.clew.decorate.ForwardingStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A store that passes every call on to another, unless a fault was planned for it. Thread-safe.
 *
 * <pre>{@code
 * FaultyStore store = new FaultyStore(new MemoryStore());
 * store.failAfter(FaultyStore.nth("apply", 3));   // the third write takes effect, and nobody knows
 * store.failBefore(call -> call.name().equals("info"));
 * FaultyStore.Hold hold = store.hold(FaultyStore.nth("removeLast", 1));
 * }</pre>
 *
 * <p>A call has the name of its method; those of {@link #leases()} and {@link #documents()} have
 * {@code leases.} or {@code records.} in front. {@code getItems} of a session is {@code read} here,
 * {@code addItems} is {@code apply}, {@code popItem} is {@code removeLast}.
 */
public final class FaultyStore extends ForwardingStore {

  /**
   * One call of the store.
   *
   * @param name the method
   * @param key the session it is about, if it is about one
   * @param number how many calls of this name there were, with this one
   */
  public record Call(String name, Optional<SessionKey> key, int number) {}

  /** Where calls wait; see {@link FaultyStore#hold}. Thread-safe. */
  public static final class Hold {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    private Hold() {}

    /** Waits until a call is being held. */
    public void awaitReached() {
      Await.open("a call was held", reached);
    }

    /** Lets all calls go on, those that come later too. */
    public void release() {
      released.countDown();
    }

    private void pass() {
      reached.countDown();
      Await.open("a held call was released", released);
    }
  }

  private enum Kind {
    BEFORE,
    AFTER,
    HOLD
  }

  private record Fault(Predicate<Call> when, Kind kind, Hold hold) {}

  private final List<Fault> faults = new CopyOnWriteArrayList<>();
  private final Map<String, Integer> counts = new ConcurrentHashMap<>();
  private final Leases leases = new FaultyLeases(this);
  private final Documents records = new FaultyRecords(this);

  /** Passes calls on to {@code delegate}; without faults at first. */
  public FaultyStore(SessionStore delegate) {
    super(delegate);
  }

  /** The n-th call of this name, counted from the making of the store. */
  public static Predicate<Call> nth(String name, int n) {
    return call -> call.name().equals(name) && call.number() == n;
  }

  /** Every call of this name. */
  public static Predicate<Call> every(String name) {
    return call -> call.name().equals(name);
  }

  /** Such calls fail with {@link ClewException.StoreUnavailable} and do nothing. */
  public void failBefore(Predicate<Call> when) {
    faults.add(new Fault(when, Kind.BEFORE, new Hold()));
  }

  /** Such calls do what they do and then fail with {@link ClewException.OutcomeUnknown}. */
  public void failAfter(Predicate<Call> when) {
    faults.add(new Fault(when, Kind.AFTER, new Hold()));
  }

  /** Such calls wait, before they do anything, until they are released. */
  public Hold hold(Predicate<Call> when) {
    Hold hold = new Hold();
    faults.add(new Fault(when, Kind.HOLD, hold));
    return hold;
  }

  /** Takes back all faults. Calls that are being held go on being held. */
  public void heal() {
    faults.clear();
  }

  /** How many calls of this name there were. */
  public int calls(String name) {
    return counts.getOrDefault(name, 0);
  }

  SessionStore behind() {
    return delegate();
  }

  <T> T call(String name, Optional<SessionKey> key, Supplier<T> action) {
    int number = counts.merge(name, 1, Integer::sum);
    Call call = new Call(name, key, number);
    List<Fault> planned = faults.stream().filter(fault -> fault.when().test(call)).toList();
    for (Fault fault : planned) {
      if (fault.kind() == Kind.HOLD) {
        fault.hold().pass();
      }
    }
    if (planned.stream().anyMatch(fault -> fault.kind() == Kind.BEFORE)) {
      throw new ClewException.StoreUnavailable("planned to fail before " + call, null);
    }
    T result = action.get();
    if (planned.stream().anyMatch(fault -> fault.kind() == Kind.AFTER)) {
      throw new ClewException.OutcomeUnknown("planned to fail after " + call, null);
    }
    return result;
  }

  private <T> T call(String name, SessionKey key, Supplier<T> action) {
    return call(name, Optional.of(key), action);
  }

  private void run(String name, Runnable action) {
    call(
        name,
        Optional.empty(),
        () -> {
          action.run();
          return name;
        });
  }

  @Override
  public EntryPage read(SessionKey key, Range range) {
    return call("read", key, () -> super.read(key, range));
  }

  @Override
  public List<Item> items(SessionKey key, int limit) {
    return call("read", key, () -> super.items(key, limit));
  }

  @Override
  public Optional<Entry> find(SessionKey key, String itemId) {
    return call("find", key, () -> super.find(key, itemId));
  }

  @Override
  public Receipt commit(SessionKey key, Commit transaction) {
    return call("apply", key, () -> super.commit(key, transaction));
  }

  @Override
  public Optional<Entry> removeLast(SessionKey key) {
    return call("removeLast", key, () -> super.removeLast(key));
  }

  @Override
  public boolean delete(SessionKey key) {
    return call("delete", key, () -> super.delete(key));
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target) {
    return call("fork", source, () -> super.fork(source, upTo, target));
  }

  @Override
  public Optional<SessionInfo> info(SessionKey key) {
    return call("info", key, () -> super.info(key));
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    return call("update", key, () -> super.update(key, update));
  }

  @Override
  public SessionPage list(SessionQuery query) {
    return call("list", Optional.empty(), () -> super.list(query));
  }

  @Override
  public List<String> owners(Optional<String> after, int limit) {
    return call("owners", Optional.empty(), () -> super.owners(after, limit));
  }

  @Override
  public SearchResult search(SearchQuery query) {
    return call("search", Optional.empty(), () -> super.search(query));
  }

  @Override
  public Watch watch(SessionKey key, long version, Consumer<SessionEvent> listener) {
    return call("watch", key, () -> super.watch(key, version, listener));
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
    run("erase", () -> super.erase(owner));
  }

  @Override
  public int sweep(int limit) {
    return call("sweep", Optional.empty(), () -> super.sweep(limit));
  }

  @Override
  public void check(Consumer<Finding> findings) {
    run("check", () -> super.check(findings));
  }

  @Override
  public void ping() {
    run("ping", super::ping);
  }
}
