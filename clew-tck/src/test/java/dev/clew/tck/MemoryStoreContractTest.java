package dev.clew.tck;

import dev.clew.SessionStore;
import dev.clew.memory.MemoryStore;
import java.util.Optional;

class MemoryStoreContractTest extends StoreContract {
  @Override
  protected SessionStore open(StoreOptions options) {
    return memory(options);
  }

  static SessionStore memory(StoreOptions options) {
    MemoryStore.Builder builder =
        MemoryStore.builder()
            .clock(options.clock())
            .settings(options.settings())
            .limits(options.limits());
    options.timeToLive().ifPresent(builder::timeToLive);
    return builder.build();
  }

  @Override
  protected Optional<SessionStore> reopen(StoreOptions options) {
    return Optional.empty();
  }
}
