package dev.clew.tck;

import dev.clew.ClewException;
import dev.clew.Finding;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.decorate.EachCallBackend;
import dev.clew.kit.BackendStore;
import dev.clew.spi.Backend;
import dev.clew.spi.SelfCheck;
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
public final class FaultyStore extends BackendStore {

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

  private enum When {
    BEFORE,
    AFTER,
    HOLD
  }

  private record Fault(Predicate<Call> when, When kind, Hold hold) {}

  private final Faults planned;

  /** Passes calls on to {@code delegate}; without faults at first. */
  public FaultyStore(SessionStore delegate) {
    this(delegate, new Faults());
  }

  private FaultyStore(SessionStore delegate, Faults planned) {
    super(delegate, backend -> new FaultyBackend(backend, planned));
    this.planned = planned;
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
    planned.faults.add(new Fault(when, When.BEFORE, new Hold()));
  }

  /** Such calls do what they do and then fail with {@link ClewException.OutcomeUnknown}. */
  public void failAfter(Predicate<Call> when) {
    planned.faults.add(new Fault(when, When.AFTER, new Hold()));
  }

  /** Such calls wait, before they do anything, until they are released. */
  public Hold hold(Predicate<Call> when) {
    Hold hold = new Hold();
    planned.faults.add(new Fault(when, When.HOLD, hold));
    return hold;
  }

  /** Takes back all faults. Calls that are being held go on being held. */
  public void heal() {
    planned.faults.clear();
  }

  /** How many calls of this name there were. */
  public int calls(String name) {
    return planned.counts.getOrDefault(name, 0);
  }

  private static final class Faults {
    final List<Fault> faults = new CopyOnWriteArrayList<>();
    final Map<String, Integer> counts = new ConcurrentHashMap<>();

    <T> T call(String name, Optional<SessionKey> key, Supplier<T> action) {
      int number = counts.merge(name, 1, Integer::sum);
      Call call = new Call(name, key, number);
      List<Fault> planned = faults.stream().filter(fault -> fault.when().test(call)).toList();
      for (Fault fault : planned) {
        if (fault.kind() == When.HOLD) {
          fault.hold().pass();
        }
      }
      if (planned.stream().anyMatch(fault -> fault.kind() == When.BEFORE)) {
        throw new ClewException.StoreUnavailable("planned to fail before " + call, null);
      }
      T result = action.get();
      if (planned.stream().anyMatch(fault -> fault.kind() == When.AFTER)) {
        throw new ClewException.OutcomeUnknown("planned to fail after " + call, null);
      }
      return result;
    }
  }

  private static final class FaultyBackend extends EachCallBackend implements SelfCheck {
    private final Faults planned;
    private final SelfCheck checkup;

    FaultyBackend(Backend delegate, Faults planned) {
      super(delegate);
      this.planned = planned;
      this.checkup = delegate.feature(SelfCheck.class).orElseThrow();
    }

    @Override
    protected <T> T call(String name, Kind kind, Optional<SessionKey> key, Supplier<T> call) {
      return planned.call(name.equals("items") || name.equals("newest") ? "read" : name, key, call);
    }

    @Override
    public void check(Consumer<Finding> findings) {
      planned.call(
          "check",
          Optional.empty(),
          () -> {
            checkup.check(findings);
            return true;
          });
    }
  }
}
