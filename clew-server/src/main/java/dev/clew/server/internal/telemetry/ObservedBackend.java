package dev.clew.server.internal.telemetry;

import dev.clew.Commit;
import dev.clew.Leases;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.decorate.EachCallBackend;
import dev.clew.spi.AsyncCommits;
import dev.clew.spi.Backend;
import dev.clew.spi.Snapshots;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A backend whose calls are measured. Thread-safe. */
final class ObservedBackend extends EachCallBackend {
  private final Telemetry telemetry;
  private final Leases leases;

  ObservedBackend(Backend backend, Telemetry telemetry) {
    super(backend);
    this.telemetry = telemetry;
    this.leases = new ObservedLeases(super.leases(), telemetry.meters());
  }

  @Override
  protected <T> T call(String name, Kind kind, Optional<SessionKey> key, Supplier<T> call) {
    return telemetry.operation(name, call);
  }

  @Override
  public Receipt commit(SessionKey key, Commit commit) {
    Receipt receipt = super.commit(key, commit);
    count(commit);
    return receipt;
  }

  @Override
  public <F> Optional<F> feature(Class<F> feature) {
    return feature == AsyncCommits.class
        ? delegate()
            .feature(AsyncCommits.class)
            .map(async -> feature.cast((AsyncCommits) (key, c) -> commitAsync(async, key, c)))
        : feature == Snapshots.class ? delegate().feature(feature) : super.feature(feature);
  }

  private CompletableFuture<Receipt> commitAsync(
      AsyncCommits async, SessionKey key, Commit commit) {
    return telemetry
        .laterOperation("apply", () -> async.commitAsync(key, commit))
        .whenComplete(
            (receipt, failure) -> {
              if (failure == null) {
                count(commit);
              }
            });
  }

  private void count(Commit transaction) {
    if (transaction.step() instanceof Commit.ReplacePrefix || compacts(transaction)) {
      telemetry.meters().compaction();
    }
  }

  /** The Responses API appends what stands for the history before it. */
  private static boolean compacts(Commit transaction) {
    return transaction.items().stream()
        .anyMatch(
            item -> item.json().contains("\"compaction\"") && item.type().equals("compaction"));
  }

  @Override
  public Leases leases() {
    return leases;
  }
}
