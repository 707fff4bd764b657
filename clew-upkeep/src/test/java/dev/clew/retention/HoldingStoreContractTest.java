package dev.clew.retention;

import dev.clew.SessionStore;
import dev.clew.memory.MemoryStore;
import dev.clew.tck.StoreContract;
import dev.clew.tck.StoreOptions;
import java.util.Optional;

/** Without a hold, a store that keeps holds is a store like any other. */
class HoldingStoreContractTest extends StoreContract {
  @Override
  protected SessionStore open(StoreOptions options) {
    MemoryStore.Builder builder =
        MemoryStore.builder()
            .clock(options.clock())
            .settings(options.settings())
            .limits(options.limits());
    options.timeToLive().ifPresent(builder::timeToLive);
    return new HoldingStore(builder.build());
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
