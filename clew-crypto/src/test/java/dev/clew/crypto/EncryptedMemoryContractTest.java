package dev.clew.crypto;

import dev.clew.SessionStore;
import dev.clew.memory.MemoryStore;
import dev.clew.tck.StoreOptions;

class EncryptedMemoryContractTest extends EncryptedContract {
  @Override
  SessionStore openPlain(StoreOptions options, int number) {
    MemoryStore.Builder builder =
        MemoryStore.builder()
            .clock(options.clock())
            .settings(options.settings())
            .limits(options.limits());
    options.timeToLive().ifPresent(builder::timeToLive);
    return builder.build();
  }

  @Override
  boolean isVolatile() {
    return true;
  }
}
