package dev.clew.tck;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.decorate.EachCallBackend;
import dev.clew.decorate.RetryPolicy;
import dev.clew.decorate.RetryingStore;
import dev.clew.kit.BackendStore;
import dev.clew.spi.Backend;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** The contract over a store that fails now and then, before a call or after it. */
class RetryingStoreContractTest extends StoreContract {
  private static final Set<String> READS =
      Set.of("read", "find", "info", "list", "owners", "search", "records.get", "leases.holder");

  /**
   * Loses the answer of every fifth write that came without an operation id. With an id of the
   * caller's the receipt rightly says that the write had been done before, which is not what the
   * rules about such ids look for.
   */
  private static final class LosesAnswers extends EachCallBackend {
    private final AtomicInteger writes = new AtomicInteger();

    LosesAnswers(Backend delegate) {
      super(delegate);
    }

    @Override
    protected <T> T call(String name, Kind kind, Optional<SessionKey> key, Supplier<T> call) {
      return call.get();
    }

    @Override
    public Receipt commit(SessionKey key, Commit transaction) {
      Receipt receipt = super.commit(key, transaction);
      boolean own = transaction.operationId().orElse("").startsWith("clew-retry-");
      if (own && writes.incrementAndGet() % 5 == 0) {
        throw new ClewException.OutcomeUnknown("the answer was lost", null);
      }
      return receipt;
    }
  }

  @Override
  protected SessionStore open(StoreOptions options) {
    FaultyStore faulty = new FaultyStore(MemoryStoreContractTest.memory(options));
    faulty.failAfter(call -> call.number() % 7 == 0 && READS.contains(call.name()));
    faulty.failBefore(call -> call.number() % 5 == 0 && !call.name().equals("ping"));
    return new RetryingStore(
        BackendStore.decorate(faulty, LosesAnswers::new),
        RetryPolicy.DEFAULT.attempts(10),
        pause -> {},
        System::nanoTime);
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
