package dev.clew.server.responses;

import dev.clew.ClewException;
import dev.clew.Company;
import dev.clew.HistoryTransaction;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.server.responses.StoredResponse.Span;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntFunction;

/**
 * Writes a turn to its session, all of it at once. Thread-safe. The response's id is the id of the
 * operation, so writing a turn again does nothing.
 */
final class TurnCommit {
  private static final int TRIES = 3;

  private final SessionStore store;
  private final Duration kept;

  /**
   * Over a store.
   *
   * @param kept how long sessions live that no conversation is
   */
  TurnCommit(SessionStore store, Duration kept) {
    this.store = store;
    this.kept = kept;
  }

  /** Writes the turn of a response, and no response; where it stands then. */
  Span write(StoredResponse response, Optional<HistoryTransaction.Fence> fence) {
    return write(response, fence, attempt -> Optional.empty());
  }

  /**
   * Writes the turn of a response and the response itself, in one commit if the store can; where
   * the turn stands then.
   *
   * @param name the record of the response
   */
  Span write(StoredResponse response, Optional<HistoryTransaction.Fence> fence, String name) {
    Optional<Duration> life = response.home().own() ? Optional.of(kept) : Optional.empty();
    return write(
        response,
        fence,
        attempt ->
            Optional.of(
                new Company(
                    life,
                    name,
                    version(response, attempt),
                    Optional.of(kept),
                    receipt -> response.written(span(response, receipt)).json())));
  }

  /** Of a response that nobody knows the first try may be there, and be put once more. */
  private static OptionalLong version(StoredResponse response, int attempt) {
    return attempt > 1 && response.version() == 0
        ? OptionalLong.empty()
        : OptionalLong.of(response.version());
  }

  private Span write(
      StoredResponse response,
      Optional<HistoryTransaction.Fence> fence,
      IntFunction<Optional<Company>> company) {
    Home home = response.home();
    home.fork().ifPresent(fork -> fork(home.key(), fork));
    HistoryTransaction append = HistoryTransaction.appendDrafts(response.drafts());
    append = append.operationId(response.id());
    if (!home.own()) {
      append = append.expectExisting(); // a conversation that was deleted meanwhile stays deleted
    }
    if (fence.isPresent()) {
      append = append.fence(fence.get());
    }
    for (int attempt = 1; ; attempt++) {
      try {
        Optional<Company> with = company.apply(attempt);
        return span(
            response,
            with.isPresent()
                ? store.apply(home.key(), append, with.get())
                : store.apply(home.key(), append));
      } catch (ClewException.OutcomeUnknown | ClewException.StoreUnavailable e) {
        // The operation id tells whether the first try took effect.
        if (!e.retryable() || attempt == TRIES) {
          throw e;
        }
      }
    }
  }

  /** Positions of one append follow each other. */
  private static Span span(StoredResponse response, Receipt receipt) {
    long first = receipt.firstPosition().orElseThrow();
    return new Span(
        first, first + response.input().size() - 1, receipt.lastPosition().orElseThrow());
  }

  private void fork(SessionKey key, Home.ForkPoint from) {
    if (store.info(key).isEmpty()) {
      store.fork(new SessionKey(key.owner(), from.session()), from.position(), key);
    }
  }
}
