package dev.clew.crypto;

import dev.clew.SessionStore;
import dev.clew.postgres.PostgresStore;
import dev.clew.tck.StoreOptions;
import dev.clew.testservers.PostgresServer;

class EncryptedPostgresContractTest extends EncryptedContract {
  private int first;

  @Override
  SessionStore openPlain(StoreOptions options, int number) {
    PostgresStore.Builder builder =
        PostgresStore.builder(PostgresServer.shared().url(schema(number)))
            .clock(options.clock())
            .settings(options.settings())
            .limits(options.limits());
    options.timeToLive().ifPresent(builder::timeToLive);
    return builder.open();
  }

  private String schema(int number) {
    if (first == 0) {
      first = number;
      PostgresServer.shared().empty("safe");
    }
    return number == first ? "safe" : "safe_" + number; // a test may open several
  }
}
