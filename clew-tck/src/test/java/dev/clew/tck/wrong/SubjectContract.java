package dev.clew.tck.wrong;

import dev.clew.SessionStore;
import dev.clew.kit.BackendStore;
import dev.clew.tck.Damager;
import dev.clew.tck.StoreContract;
import dev.clew.tck.StoreOptions;
import dev.clew.tck.thirdparty.MapStore;
import dev.clew.tck.thirdparty.MapStoreTest;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * The contract on a store that {@link WrongStoresTest} makes wrong. Not named as a test, so that
 * only {@link #run} runs it; one run at a time.
 */
class SubjectContract extends StoreContract {
  private static BiFunction<SessionStore, StoreOptions, SessionStore> spoil = (store, any) -> store;

  private final Set<Damaged.Place> damaged = new HashSet<>();
  private MapStore.Data data = new MapStore.Data();

  /** Runs the case of this name alone, on a store that was made wrong. */
  static TestExecutionSummary run(
      String testCase, BiFunction<SessionStore, StoreOptions, SessionStore> wrong) {
    spoil = wrong;
    return ContractRun.of(SubjectContract.class, testCase);
  }

  /** Runs the case of this name alone, on a store with nothing wrong. */
  static TestExecutionSummary runRight(String testCase) {
    return run(testCase, (store, options) -> store);
  }

  @Override
  protected SessionStore open(StoreOptions options) {
    data = new MapStore.Data();
    return subject(options);
  }

  @Override
  protected Optional<SessionStore> reopen(StoreOptions options) {
    return Optional.of(subject(options));
  }

  private SessionStore subject(StoreOptions options) {
    SessionStore right = MapStoreTest.open(data, options);
    return spoil.apply(
        BackendStore.decorate(right, backend -> new Damaged(backend, damaged)), options);
  }

  @Override
  protected Optional<Damager> damager(SessionStore store) {
    return Optional.of(Damaged.damager(damaged));
  }
}
