package dev.clew.crypto;

import dev.clew.SessionStore;
import dev.clew.jsonl.JsonlStore;
import dev.clew.tck.StoreOptions;

class EncryptedJsonlContractTest extends EncryptedContract {
  @Override
  SessionStore openPlain(StoreOptions options, int number) {
    JsonlStore.Builder builder =
        JsonlStore.builder(folder.resolve("sessions-" + number))
            .clock(options.clock())
            .settings(options.settings())
            .limits(options.limits());
    options.timeToLive().ifPresent(builder::timeToLive);
    return builder.open();
  }
}
