package dev.clew.spi;

import dev.clew.Commit;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.StoredSession;
import java.util.concurrent.CompletableFuture;

/** A backend that commits without blocking the caller's thread. Thread-safe. */
public interface AsyncCommits {
  /**
   * Returns at once. The future completes when the commit is durable, on a thread of the store,
   * which must not be blocked; it fails with what {@link StoredSession#commit} would throw.
   */
  CompletableFuture<Receipt> commitAsync(SessionKey key, Commit commit);
}
