package dev.clew.server.telemetry;

import dev.clew.Company;
import dev.clew.HistoryTransaction;
import dev.clew.Leases;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.decorate.EachCallStore;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A store whose calls are measured. Thread-safe. */
final class ObservedStore extends EachCallStore {
  private final Telemetry telemetry;
  private final Leases leases;

  ObservedStore(SessionStore store, Telemetry telemetry) {
    super(store);
    this.telemetry = telemetry;
    this.leases = new ObservedLeases(super.leases(), telemetry.meters());
  }

  @Override
  protected <T> T call(String name, Kind kind, Supplier<T> call) {
    return telemetry.operation(name, call);
  }

  @Override
  public Receipt apply(SessionKey key, HistoryTransaction transaction) {
    Receipt receipt = super.apply(key, transaction);
    count(transaction);
    return receipt;
  }

  @Override
  public Receipt apply(SessionKey key, HistoryTransaction transaction, Company company) {
    Receipt receipt =
        telemetry.operation("apply", () -> delegate().apply(key, transaction, company));
    count(transaction);
    return receipt;
  }

  @Override
  public CompletableFuture<Receipt> applyLater(SessionKey key, HistoryTransaction transaction) {
    return later(transaction, () -> delegate().applyLater(key, transaction));
  }

  @Override
  public CompletableFuture<Receipt> applyLater(
      SessionKey key, HistoryTransaction transaction, Company company) {
    return later(transaction, () -> delegate().applyLater(key, transaction, company));
  }

  @Override
  public boolean appliesLater() {
    return delegate().appliesLater();
  }

  private CompletableFuture<Receipt> later(
      HistoryTransaction transaction, Supplier<CompletableFuture<Receipt>> call) {
    return telemetry
        .laterOperation("apply", call)
        .whenComplete(
            (receipt, failure) -> {
              if (failure == null) {
                count(transaction);
              }
            });
  }

  private void count(HistoryTransaction transaction) {
    if (transaction.step() instanceof HistoryTransaction.ReplacePrefix || compacts(transaction)) {
      telemetry.meters().compaction();
    }
  }

  /** The Responses API appends what stands for the history before it. */
  private static boolean compacts(HistoryTransaction transaction) {
    return transaction.items().stream()
        .anyMatch(
            item -> item.json().contains("\"compaction\"") && item.type().equals("compaction"));
  }

  @Override
  public Leases leases() {
    return leases;
  }
}
