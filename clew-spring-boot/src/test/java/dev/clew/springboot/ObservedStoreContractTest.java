package dev.clew.springboot;

import dev.clew.SessionStore;
import dev.clew.memory.MemoryStore;
import dev.clew.tck.StoreContract;
import dev.clew.tck.StoreOptions;
import io.micrometer.observation.ObservationRegistry;
import java.util.Optional;

/** A store whose calls are observed is a store like any other. */
class ObservedStoreContractTest extends StoreContract {
  private final StoreObservation observation = new StoreObservation(observing());

  private static ObservationRegistry observing() {
    ObservationRegistry registry = ObservationRegistry.create();
    registry.observationConfig().observationHandler(context -> true);
    return registry;
  }

  @Override
  protected SessionStore open(StoreOptions options) {
    MemoryStore.Builder builder =
        MemoryStore.builder()
            .clock(options.clock())
            .settings(options.settings())
            .limits(options.limits());
    options.timeToLive().ifPresent(builder::timeToLive);
    return observation.of(builder.build(), "memory");
  }

  @Override
  protected Optional<SessionStore> reopen(StoreOptions options) {
    return Optional.empty();
  }

  /** What is wrapped runs all of them. */
  @Override
  public int sequences() {
    return super.sequences() / 10;
  }
}
