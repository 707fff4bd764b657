package dev.clew.tck;

import dev.clew.SessionStore;
import dev.clew.decorate.DeadlineStore;
import dev.clew.decorate.RetryingStore;
import java.time.Duration;
import java.util.Optional;

/** The contract through both decorations, one in the other. */
class DeadlineStoreContractTest extends StoreContract {
  @Override
  protected SessionStore open(StoreOptions options) {
    return new RetryingStore(
        new DeadlineStore(MemoryStoreContractTest.memory(options), Duration.ofSeconds(60)));
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
