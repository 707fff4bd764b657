package dev.clew.server.responses;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.HistoryTransaction;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.server.responses.StoredResponse.Span;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

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

  /** Writes a turn; where it stands then. */
  Span write(
      Home home,
      String id,
      List<Item> input,
      List<Item> turn,
      Optional<HistoryTransaction.Fence> fence) {
    if (turn.isEmpty()) {
      return Span.NONE;
    }
    if (!home.own() && store.info(home.key()).isEmpty()) {
      throw new ClewException.VersionConflict(
          "the conversation was deleted while a turn of it was answered"); // it stays deleted
    }
    home.fork().ifPresent(fork -> fork(home.key(), fork));
    HistoryTransaction append = HistoryTransaction.append(turn).operationId(id);
    Receipt receipt = apply(home.key(), fence.isPresent() ? append.fence(fence.get()) : append);
    if (home.own()) {
      store.update(home.key(), SessionUpdate.none().timeToLive(kept));
    }
    long first = receipt.firstPosition().orElseThrow();
    long last = receipt.lastPosition().orElseThrow();
    boolean dense = last - first + 1 == turn.size();
    long lastInput = dense ? first + input.size() - 1 : find(home.key(), first, input.size());
    return new Span(first, input.isEmpty() ? first - 1 : lastInput, last);
  }

  private void fork(SessionKey key, Home.ForkPoint from) {
    if (store.info(key).isEmpty()) {
      store.fork(new SessionKey(key.owner(), from.session()), from.position(), key);
    }
  }

  private Receipt apply(SessionKey key, HistoryTransaction append) {
    for (int attempt = 1; ; attempt++) {
      try {
        return store.apply(key, append);
      } catch (ClewException.OutcomeUnknown | ClewException.StoreUnavailable e) {
        // The operation id tells whether the first try took effect.
        if (!e.retryable() || attempt == TRIES) {
          throw e;
        }
      }
    }
  }

  private long find(SessionKey key, long first, int count) {
    List<Entry> entries = store.read(key, Range.after(first - 1, count)).entries();
    return entries.isEmpty() ? first - 1 : entries.get(entries.size() - 1).position();
  }
}
