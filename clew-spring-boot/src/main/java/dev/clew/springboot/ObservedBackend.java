package dev.clew.springboot;

import dev.clew.Commit;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.decorate.EachCallBackend;
import dev.clew.spi.AsyncCommits;
import dev.clew.spi.Backend;
import dev.clew.spi.Snapshots;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * A backend whose calls are observations named {@code clew.store}, with the operation and the kind
 * of store as keys. No id or owner is a key: there is no end of them. Thread-safe.
 */
final class ObservedBackend extends EachCallBackend {
  private final ObservationRegistry registry;
  private final String kind;

  ObservedBackend(Backend backend, ObservationRegistry registry, String kind) {
    super(backend);
    this.registry = registry;
    this.kind = kind;
  }

  private Observation observation(String operation) {
    return Observation.createNotStarted("clew.store", registry)
        .contextualName("clew " + operation)
        .lowCardinalityKeyValue("operation", operation)
        .lowCardinalityKeyValue("store", kind);
  }

  @Override
  protected <T> T call(String name, Kind kind, Optional<SessionKey> key, Supplier<T> call) {
    return observation(name).observe(call);
  }

  @Override
  public <F> Optional<F> feature(Class<F> feature) {
    return feature == AsyncCommits.class
        ? delegate()
            .feature(AsyncCommits.class)
            .map(async -> feature.cast((AsyncCommits) (key, c) -> commitAsync(async, key, c)))
        : feature == Snapshots.class ? delegate().feature(feature) : super.feature(feature);
  }

  /** Stopped by the thread that completes the commit, so there is no scope. */
  private CompletableFuture<Receipt> commitAsync(
      AsyncCommits async, SessionKey key, Commit commit) {
    Observation observation = observation("apply").start();
    return async
        .commitAsync(key, commit)
        .whenComplete(
            (receipt, failure) -> {
              if (failure != null) {
                observation.error(
                    failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure);
              }
              observation.stop();
            });
  }
}
