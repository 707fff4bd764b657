package dev.clew.tck.thirdparty;

import dev.clew.SessionStore;
import dev.clew.memory.MemoryStore;
import dev.clew.tck.StoreContract;
import dev.clew.tck.StoreOptions;
import java.util.Optional;

class ShelfStoreTest extends StoreContract {
  private SessionStore shelf;

  @Override
  protected SessionStore open(StoreOptions options) {
    MemoryStore.Builder builder =
        MemoryStore.builder()
            .clock(options.clock())
            .settings(options.settings())
            .limits(options.limits());
    options.timeToLive().ifPresent(builder::timeToLive);
    shelf = builder.build();
    return ShelfStore.open(shelf);
  }

  @Override
  protected Optional<SessionStore> reopen(StoreOptions options) {
    return Optional.of(ShelfStore.open(shelf));
  }
}
