package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Durability;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;

/**
 * What every {@link SessionStore} promises, as tests. One test at a time; what a test uses is
 * thread-safe.
 *
 * <p>To test a store of your own, extend this class and say how to open it:
 *
 * <pre>{@code
 * class MyStoreTest extends StoreContract {
 *   @TempDir Path folder;
 *   int opened;
 *
 *   @Override
 *   protected SessionStore open(StoreOptions options) {
 *     return new MyStore(folder.resolve("store-" + ++opened), options.clock(), options.limits(), …);
 *   }
 *
 *   @Override
 *   protected Optional<SessionStore> reopen(StoreOptions options) {
 *     return Optional.of(new MyStore(folder.resolve("store-" + opened), …));
 *   }
 * }
 * }</pre>
 *
 * <p>Nothing is skipped. A rule about something that {@link SessionStore#capabilities()} does not
 * list checks that it is refused, and a rule about restarts checks that a {@link
 * Durability#VOLATILE} store starts empty. A store whose records can be damaged overrides {@link
 * #damager} as well. Each group of rules is an interface of its own, which names the rules of the
 * contract (C1 to C24) it is about.
 *
 * <p>System properties: {@code clew.tck.seeds} is the number of random operation sequences, {@code
 * clew.tck.seed} repeats a single one, {@code clew.tck.operations} is the number of operations of
 * the concurrent history, {@code clew.soak=true} raises what was not set.
 */
@DisplayNameGeneration(RuleNames.class)
public abstract class StoreContract
    implements ReadingRules,
        AppendingRules,
        PoppingRules,
        ClearingRules,
        LosslessRules,
        AsyncRules,
        CreatingRules,
        DefaultLimitRules,
        PagingRules,
        IdempotencyRules,
        CompareAndSetRules,
        PrefixRules,
        SuffixRules,
        OneItemRules,
        ForkRules,
        MetadataRules,
        ListingRules,
        TimeRules,
        KeyRules,
        RestartRules,
        ExpiryRules,
        ErasureRules,
        SearchRules,
        WatchRules,
        LaterRules,
        LeaseRules,
        RecordRules,
        CompanyRules,
        DamageRules,
        ClosingRules,
        ConcurrencyRules,
        SharingRules,
        OracleRules {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final TestClock clock = new TestClock(START);
  private final List<SessionStore> opened = new ArrayList<>();
  private StoreOptions options = StoreOptions.at(clock);
  private @Nullable SessionStore store;
  private int keys;

  /**
   * Opens a store without any data. May be called several times in one test; the stores have
   * nothing in common. The contract closes them.
   */
  protected abstract SessionStore open(StoreOptions options);

  /**
   * Opens the data of the store that {@link #open} returned last once more. It was closed before,
   * unless the store has {@link dev.clew.Capability#WATCH_ACROSS_PROCESSES}: then it may be asked
   * for a second handle on data that is in use.
   *
   * @return nothing if, and only if, the store is {@link Durability#VOLATILE}
   */
  protected abstract Optional<SessionStore> reopen(StoreOptions options);

  /**
   * What spoils records of this store behind its back; none when there is nothing to spoil, as in a
   * store that keeps objects in memory.
   */
  protected Optional<Damager> damager(SessionStore damaged) {
    return Optional.empty();
  }

  /**
   * How many random operation sequences are run. A store that only wraps another one, or differs
   * from it in little, may do with a part of them.
   */
  @Override
  public int sequences() {
    return Settings.seeds();
  }

  @Override
  public final synchronized SessionStore store() {
    SessionStore present = store;
    return present == null ? openWith(options) : present;
  }

  @Override
  public final TestClock clock() {
    return clock;
  }

  @Override
  public final synchronized StoreOptions options() {
    return options;
  }

  @Override
  public final synchronized SessionStore openWith(StoreOptions wanted) {
    options = wanted;
    return remember(open(wanted));
  }

  @Override
  public final synchronized boolean restart(StoreOptions wanted) {
    SessionStore present = store();
    boolean isVolatile = present.durability() == Durability.VOLATILE;
    present.close();
    Optional<SessionStore> again = reopen(wanted);
    assertThat(again.isEmpty())
        .as("reopen returns nothing exactly if the store is VOLATILE")
        .isEqualTo(isVolatile);
    if (again.isEmpty()) {
      openWith(wanted);
    } else {
      options = wanted;
      remember(again.get());
    }
    return !isVolatile;
  }

  @Override
  public final synchronized Optional<SessionStore> secondHandle() {
    if (store().durability() == Durability.VOLATILE) {
      return Optional.empty();
    }
    Optional<SessionStore> second = reopen(options);
    second.ifPresent(opened::add);
    return second;
  }

  @Override
  public final synchronized Optional<Damager> damager() {
    return damager(store());
  }

  @Override
  public final synchronized SessionKey newKey() {
    return SessionKey.of("session-" + ++keys);
  }

  private SessionStore remember(SessionStore newest) {
    opened.add(newest);
    store = newest;
    return newest;
  }

  @AfterEach
  final void closeWhatWasOpened() {
    opened.forEach(SessionStore::close);
  }
}
