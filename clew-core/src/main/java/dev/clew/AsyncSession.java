package dev.clew;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A {@link Session} whose operations return futures. Thread-safe: operations called on one {@code
 * AsyncSession} take effect in the order of the calls, on a thread of its executor.
 */
public interface AsyncSession {

  /** See {@link Session#id()}. */
  String id();

  /** See {@link Session#getItems()}. */
  CompletableFuture<List<Item>> getItems();

  /** See {@link Session#getItems(int)}. */
  CompletableFuture<List<Item>> getItems(int limit);

  /** See {@link Session#addItems(List)}. */
  CompletableFuture<Void> addItems(List<Item> items);

  /** See {@link Session#popItem()}. */
  CompletableFuture<Optional<Item>> popItem();

  /** See {@link Session#clearSession()}. */
  CompletableFuture<Void> clearSession();

  /** The given session with its operations run on {@code executor}. */
  static AsyncSession of(Session session, Executor executor) {
    return new SerialAsyncSession(session, executor);
  }
}
