package dev.clew.crypto;

import dev.clew.SessionStore;
import dev.clew.postgres.PostgresStore;
import dev.clew.tck.StoreOptions;
import dev.clew.testservers.PostgresServer;

class EncryptedPostgresContractTest extends EncryptedContract {
  @Override
  SessionStore openPlain(StoreOptions options, int number) {
    PostgresStore.Builder builder =
        PostgresStore.builder(PostgresServer.shared().url("safe_" + number))
            .clock(options.clock())
            .settings(options.settings())
            .limits(options.limits());
    options.timeToLive().ifPresent(builder::timeToLive);
    return builder.open();
  }
}
