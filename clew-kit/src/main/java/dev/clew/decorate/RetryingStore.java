package dev.clew.decorate;

import dev.clew.Capability;
import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Entry;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.StoreTraits;
import dev.clew.kit.BackendStore;
import dev.clew.kit.CommitInTurn;
import dev.clew.spi.Backend;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A decorator that retries calls that failed and may succeed later. Thread-safe.
 *
 * <p>Only {@linkplain ClewException#retryable() retryable} failures are retried, and only if that
 * is safe:
 *
 * <ul>
 *   <li>Reads are repeated.
 *   <li>Commits are repeated with an operation id, the caller's or a random one, so that they take
 *       effect once. {@code popItem} is such a commit too.
 *   <li>With an id of the caller's, {@link Receipt#repeated()} is also true if an attempt of
 *       unknown outcome turns out to have worked.
 *   <li>A commit with an outdated fence is not repeated: its lease never comes back.
 *   <li>An update, a fork or a document with a condition that conflicts after an attempt of unknown
 *       outcome may have conflicted with that attempt; the outcome is then still unknown.
 *   <li>{@code delete} and {@code erase} are repeated: gone is gone. After an attempt of unknown
 *       outcome {@code delete} may say that there was nothing to delete.
 *   <li>{@link #ping} is not repeated, because it reports the current state, nor is {@code check},
 *       which would report things twice.
 * </ul>
 *
 * <p>Put a deadline for each attempt inside, so that an attempt that hangs is abandoned and
 * retried: {@code new RetryingStore(new DeadlineStore(store, Duration.ofSeconds(5)))}.
 */
public final class RetryingStore extends BackendStore {
  /** The prefix of the operation ids given to writes without one. */
  static final String OWN_ID = "clew-retry-";

  private static final int POP_ATTEMPTS = 100;

  /** Three attempts with a pause of a second, then of two. */
  public RetryingStore(SessionStore delegate) {
    this(delegate, RetryPolicy.DEFAULT);
  }

  /** With a policy. */
  public RetryingStore(SessionStore delegate, RetryPolicy policy) {
    this(delegate, policy, Sleeper.THREAD, System::nanoTime);
  }

  /** With the caller's sleeper and time source, such as {@link System#nanoTime}. */
  public RetryingStore(
      SessionStore delegate, RetryPolicy policy, Sleeper sleeper, LongSupplier nanoTime) {
    super(delegate, backend -> new Repeating(backend, new Attempts(policy, sleeper, nanoTime)));
  }

  private static final class Repeating extends EachCallBackend {
    private final Attempts attempts;

    Repeating(Backend delegate, Attempts attempts) {
      super(delegate);
      this.attempts = attempts;
    }

    @Override
    protected <T> T call(String name, Kind kind, Optional<SessionKey> key, Supplier<T> call) {
      return switch (kind) {
        case READ, REPEATABLE -> attempts.repeat(name, call);
        case CONDITIONAL -> attempts.repeatWithCondition(name, call);
        case ONCE -> attempts.repeatIfNothingHappened(name, call);
      };
    }

    @Override
    public Receipt commit(SessionKey key, Commit commit) {
      if (!commit.isHistoryOnly()) {
        return CommitInTurn.run(this, key, commit); // each part is repeated by its own rules
      }
      if (commit.operationId().isPresent()) {
        return commitSafely(key, commit);
      }
      String id = OWN_ID + UUID.randomUUID();
      Receipt receipt = commitSafely(key, commit.operationId(id));
      // A caller without an id does not care which attempt did it.
      return new Receipt(
          receipt.version(),
          receipt.firstPosition(),
          receipt.lastPosition(),
          false,
          receipt.existed() && !receipt.repeated());
    }

    private Receipt commitSafely(SessionKey key, Commit commit) {
      // A busy session means an outdated fence here, which waiting does not change.
      return attempts.run(
          "apply",
          () -> delegate().commit(key, commit),
          failure -> failure.retryable() && !(failure instanceof ClewException.SessionBusy));
    }

    /**
     * Removes the newest entry by its position, which can have an operation id. If that does not
     * work, because the newest entry is damaged and has to be quarantined, the store itself removes
     * the last entry, which is repeated only if it certainly did nothing.
     */
    @Override
    public Optional<Entry> removeLast(SessionKey key) {
      long refused = Long.MIN_VALUE;
      for (int attempt = 1; attempt <= POP_ATTEMPTS; attempt++) {
        List<Entry> newest = read(key, Range.latest(1)).entries();
        if (newest.isEmpty() || newest.get(0).position() == refused) {
          break;
        }
        long position = newest.get(0).position();
        try {
          commit(key, Commit.removeItem(position).expectTail(position));
          return Optional.of(newest.get(0));
        } catch (ClewException.VersionConflict e) {
          refused = position; // no longer the newest, or followed by a damaged entry
        }
      }
      return super.removeLast(key);
    }

    @Override
    public StoreTraits traits() {
      return super.traits().without(Capability.ATOMIC_DOCUMENTS);
    }

    @Override
    public void ping() {
      delegate().ping();
    }
  }
}
