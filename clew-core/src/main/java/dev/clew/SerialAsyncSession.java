package dev.clew;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/** Runs each operation after the one called before it. Thread-safe. */
final class SerialAsyncSession implements AsyncSession {
  private final Session session;
  private final Executor executor;
  private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

  SerialAsyncSession(Session session, Executor executor) {
    this.session = Objects.requireNonNull(session, "session");
    this.executor = Objects.requireNonNull(executor, "executor");
  }

  @Override
  public String id() {
    return session.id();
  }

  @Override
  public CompletableFuture<List<Item>> getItems() {
    return call(session::getItems);
  }

  @Override
  public CompletableFuture<List<Item>> getItems(int limit) {
    return call(() -> session.getItems(limit));
  }

  @Override
  public CompletableFuture<Void> addItems(List<Item> items) {
    // The caller may reuse its list as soon as this returns.
    List<Item> copy = Collections.unmodifiableList(new ArrayList<>(items));
    return run(() -> session.addItems(copy));
  }

  @Override
  public CompletableFuture<Optional<Item>> popItem() {
    return call(session::popItem);
  }

  @Override
  public CompletableFuture<Void> clearSession() {
    return run(session::clearSession);
  }

  private CompletableFuture<Void> run(Runnable operation) {
    return chain(last -> last.thenRunAsync(operation, executor));
  }

  private <T> CompletableFuture<T> call(Supplier<T> operation) {
    return chain(last -> last.thenApplyAsync(ignored -> operation.get(), executor));
  }

  private synchronized <T> CompletableFuture<T> chain(
      Function<CompletableFuture<?>, CompletableFuture<T>> next) {
    CompletableFuture<T> result = next.apply(last.handle((value, error) -> null));
    last = result;
    // A copy, so that a caller who completes or cancels his future does not disturb the order.
    return result.copy();
  }
}
