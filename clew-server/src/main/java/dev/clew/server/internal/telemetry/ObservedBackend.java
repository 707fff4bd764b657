package dev.clew.server.internal.telemetry;

import dev.clew.Commit;
import dev.clew.Leases;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.decorate.EachCallBackend;
import dev.clew.spi.AsyncCommits;
import dev.clew.spi.Backend;
import dev.clew.spi.Snapshots;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
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

  /** The Responses API appends a compaction item instead of replacing the history. */
  private static boolean compacts(Commit transaction) {
    return transaction.items().stream()
        .anyMatch(
            item -> item.json().contains("\"compaction\"") && item.type().equals("compaction"));
  }

  @Override
  public Leases leases() {
    return leases;
  }

  /**
   * Measures how long turns wait for their lease. Thread-safe. Nobody reports giving up, so only a
   * bounded number of waits is remembered.
   */
  private static final class ObservedLeases implements Leases {
    private static final String TURN = "turn";
    private static final int MOST_WAITING = 1_000;

    private final Leases leases;
    private final Meters meters;
    private final Map<String, Long> waitingSince =
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MOST_WAITING;
          }
        };

    ObservedLeases(Leases leases, Meters meters) {
      this.leases = leases;
      this.meters = meters;
    }

    @Override
    public Optional<Grant> tryAcquire(
        SessionKey key, String name, String holder, Duration timeToLive) {
      long now = System.nanoTime();
      Optional<Grant> grant = leases.tryAcquire(key, name, holder, timeToLive);
      if (name.equals(TURN)) {
        waited(holder, grant.isPresent(), now);
      }
      return grant;
    }

    private void waited(String holder, boolean over, long now) {
      Long since;
      synchronized (waitingSince) {
        since = over ? waitingSince.remove(holder) : waitingSince.putIfAbsent(holder, now);
      }
      if (over) {
        meters.lockWait(since == null ? 0 : System.nanoTime() - since);
      }
    }

    @Override
    public Optional<Grant> renew(Grant grant, Duration timeToLive) {
      return leases.renew(grant, timeToLive);
    }

    @Override
    public void release(Grant grant) {
      leases.release(grant);
    }

    @Override
    public Optional<Grant> holder(SessionKey key, String name) {
      return leases.holder(key, name);
    }
  }
}
