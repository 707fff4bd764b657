package dev.clew.crypto;

import dev.clew.SessionStore;
import dev.clew.sqlite.SqliteStore;
import dev.clew.tck.StoreOptions;

class EncryptedSqliteContractTest extends EncryptedContract {
  @Override
  SessionStore openPlain(StoreOptions options, int number) {
    SqliteStore.Builder builder =
        SqliteStore.builder(folder.resolve("store-" + number + ".db").toString())
            .clock(options.clock())
            .settings(options.settings())
            .limits(options.limits());
    options.timeToLive().ifPresent(builder::timeToLive);
    return builder.open();
  }
}
