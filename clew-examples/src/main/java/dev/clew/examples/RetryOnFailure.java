package dev.clew.examples;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.decorate.DeadlineStore;
import dev.clew.decorate.RetryPolicy;
import dev.clew.decorate.RetryingStore;
import dev.clew.kit.BackendStore;
import dev.clew.kit.ForwardingBackend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Wrap a store and calls that failed are made again, with growing pauses. Only what may succeed
 * later is repeated, and a write whose answer got lost takes effect once: it is given an operation
 * id. The deadline inside gives up an attempt that hangs.
 */
public final class RetryOnFailure {
  private RetryOnFailure() {}

  static SessionStore patient(SessionStore store) {
    RetryPolicy policy = RetryPolicy.DEFAULT.attempts(3).firstPause(Duration.ofMillis(50));
    return new RetryingStore(new DeadlineStore(store, Duration.ofSeconds(5)), policy);
  }

  /** A store whose first two writes get through, but not their answers. */
  static SessionStore unreliable(SessionStore store) {
    AtomicInteger writes = new AtomicInteger();
    return BackendStore.decorate(
        store,
        backend ->
            new ForwardingBackend(backend) {
              @Override
              public Receipt commit(SessionKey key, Commit transaction) {
                Receipt receipt = super.commit(key, transaction);
                if (writes.incrementAndGet() <= 2) {
                  throw new ClewException.OutcomeUnknown("the connection broke", null);
                }
                return receipt;
              }
            });
  }

  /** Runs the example. */
  public static void main(String[] args) {
    try (SessionStore store = patient(unreliable(Stores.open("memory:")))) {
      store.session("chat").addItems(List.of(Item.user("Hello")));
      System.out.println("Stored " + store.session("chat").getItems().size() + " item, once.");
    }
  }
}
