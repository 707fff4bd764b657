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

/**
 * Opens, keeps and closes the stores that rules are tried on. One test at a time; what a test uses
 * is thread-safe.
 */
abstract class OpenedStores implements StoreFixture {
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
    boolean isVolatile = present.traits().durability() == Durability.VOLATILE;
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
    if (store().traits().durability() == Durability.VOLATILE) {
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
