package dev.clew.server.internal.responses;

import dev.clew.Capability;
import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Commit.DocumentPut;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.server.internal.responses.StoredResponse.Span;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Stores a turn in its session atomically. Thread-safe.
 *
 * <p>Storing a turn twice is harmless: the response's id is the operation id, or, where a new
 * response is committed with its turn, its presence proves that the turn was stored.
 *
 * @param kept how long sessions outside of conversations are kept
 * @param named what the server calls a model that a client names
 */
record TurnCommit(SessionStore store, Duration kept, UnaryOperator<String> named) {
  private static final int TRIES = 3;

  /** Stores the turn of a response without the response, and that its request was answered. */
  void write(
      StoredResponse response,
      Optional<Commit.Fence> fence,
      Optional<IdempotencyKeys.Claim> claim) {
    branch(response);
    Commit append = operation(response, fence);
    SessionKey key = response.home().key();
    var unused =
        persist(
            1,
            attempt ->
                store
                    .session(key)
                    .commit(
                        claim
                            .map(kept -> append.document(answered(kept, attempt)))
                            .orElse(append)));
  }

  private static DocumentPut answered(IdempotencyKeys.Claim claim, int attempt) {
    return new DocumentPut(
        claim.name(),
        attempt > 1 ? OptionalLong.empty() : OptionalLong.of(claim.version()),
        Optional.of(IdempotencyKeys.KEPT),
        receipt -> claim.doneJson());
  }

  /**
   * Stores the turn and the response, atomically if the store can; returns the positions.
   *
   * @param name of the response's document
   */
  Span write(StoredResponse response, Optional<Commit.Fence> fence, String name) {
    branch(response);
    return write(response, operation(response, fence), name, 1);
  }

  private Span write(StoredResponse response, Commit append, String name, int firstAttempt) {
    SessionKey key = response.home().key();
    return span(
        response,
        persist(
            firstAttempt,
            attempt -> store.session(key).commit(with(response, append, name, attempt))));
  }

  /** Like {@link #write(StoredResponse, Optional, String)}, asynchronously if the store can. */
  CompletableFuture<Void> writeLater(StoredResponse response, String name) {
    branch(response);
    boolean together =
        store.traits().capabilities().contains(Capability.ATOMIC_DOCUMENTS)
            && response.version() == 0;
    Commit append = together ? plain(response) : operation(response, Optional.empty());
    return store
        .session(response.home().key())
        .commitAsync(with(response, append, name, 1))
        .handle((receipt, failure) -> failure)
        .thenCompose(failure -> again(failure, () -> writeAgain(response, append, name)));
  }

  private void writeAgain(StoredResponse response, Commit append, String name) {
    if (append.operationId().isPresent()
        || store.documents().get(response.owner(), name).isEmpty()) {
      var unused = write(response, append, name, 2);
    }
  }

  private static CompletableFuture<Void> again(@Nullable Throwable failure, Runnable write) {
    if (failure == null) {
      return CompletableFuture.completedFuture(null);
    }
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof ClewException known && isPassing(known)
        ? CompletableFuture.runAsync(write)
        : CompletableFuture.failedFuture(cause);
  }

  private Commit with(StoredResponse response, Commit append, String name, int attempt) {
    Commit commit =
        append.document(
            new DocumentPut(
                name,
                version(response, append, attempt),
                Optional.of(kept),
                receipt -> response.written(span(response, receipt)).json()));
    return response.home().own() ? commit.timeToLive(kept) : commit;
  }

  /** A retry of a new response may find it stored already. */
  private static OptionalLong version(StoredResponse response, Commit append, int attempt) {
    return attempt > 1 && response.version() == 0 && append.operationId().isPresent()
        ? OptionalLong.empty()
        : OptionalLong.of(response.version());
  }

  private Commit operation(StoredResponse response, Optional<Commit.Fence> fence) {
    Commit append = plain(response).operationId(response.id());
    return fence.isPresent() ? append.fence(fence.get()) : append;
  }

  private Commit plain(StoredResponse response) {
    Commit append = Commit.appendDrafts(response.drafts(named));
    // A conversation that was deleted meanwhile must stay deleted.
    return response.home().own() ? append : append.expectExisting();
  }

  private static Receipt persist(int firstAttempt, IntFunction<Receipt> write) {
    for (int attempt = firstAttempt; ; attempt++) {
      try {
        return write.apply(attempt);
      } catch (ClewException e) {
        if (!isPassing(e) || attempt == TRIES) {
          throw e;
        }
      }
    }
  }

  /** Whether a retry makes sense; the operation id makes it safe. */
  private static boolean isPassing(ClewException failure) {
    return failure.retryable()
        && (failure instanceof ClewException.OutcomeUnknown
            || failure instanceof ClewException.StoreUnavailable);
  }

  /** An append has consecutive positions. */
  private static Span span(StoredResponse response, Receipt receipt) {
    long first = receipt.firstPosition().orElseThrow();
    return new Span(
        first, first + response.input().size() - 1, receipt.lastPosition().orElseThrow());
  }

  private void branch(StoredResponse response) {
    SessionKey key = response.home().key();
    response
        .home()
        .fork()
        .filter(from -> store.session(key).info().isEmpty())
        .ifPresent(
            from ->
                store
                    .session(new SessionKey(key.owner(), from.session()))
                    .forkTo(key, from.position()));
  }
}
