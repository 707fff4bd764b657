package dev.clew.sqlite;

import dev.clew.SessionStore;
import dev.clew.decorate.RetryingStore;
import dev.clew.tck.StoreOptions;
import java.util.Optional;

/** The contract on a file through a decoration: damaged records and restarts behind it. */
class RetriedSqliteContractTest extends SqliteFileContractTest {
  @Override
  protected SessionStore open(StoreOptions options) {
    return new RetryingStore(super.open(options));
  }

  @Override
  protected Optional<SessionStore> reopen(StoreOptions options) {
    return super.reopen(options).map(RetryingStore::new);
  }

  /** Another store runs all of them, with the same statements. */
  @Override
  public int sequences() {
    return super.sequences() / 10;
  }
}
