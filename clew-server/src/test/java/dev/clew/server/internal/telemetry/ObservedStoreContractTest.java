package dev.clew.server.internal.telemetry;

import dev.clew.SessionStore;
import dev.clew.memory.MemoryStore;
import dev.clew.tck.StoreContract;
import dev.clew.tck.StoreOptions;
import io.opentelemetry.api.OpenTelemetry;
import java.util.Optional;

/** A store whose calls are measured is a store like any other. */
class ObservedStoreContractTest extends StoreContract {
  private final Telemetry telemetry = new Telemetry(new Meters(), new Traces(OpenTelemetry.noop()));

  @Override
  protected SessionStore open(StoreOptions options) {
    MemoryStore.Builder builder =
        MemoryStore.builder()
            .clock(options.clock())
            .settings(options.settings())
            .limits(options.limits());
    options.timeToLive().ifPresent(builder::timeToLive);
    return telemetry.observe(builder.build());
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
