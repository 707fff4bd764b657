package dev.clew.sqlite;

import dev.clew.SessionStore;
import dev.clew.tck.StoreContract;
import dev.clew.tck.StoreOptions;
import java.util.Optional;

/** The contract on a database in memory. */
class SqliteMemoryContractTest extends StoreContract {
  @Override
  protected SessionStore open(StoreOptions options) {
    return Builders.with(SqliteStore.builder(":memory:"), options).open();
  }

  @Override
  protected Optional<SessionStore> reopen(StoreOptions options) {
    return Optional.empty();
  }

  /** Another store runs all of them, with the same statements. */
  @Override
  public int sequences() {
    return super.sequences() / 10;
  }
}
