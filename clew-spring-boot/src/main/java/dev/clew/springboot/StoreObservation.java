package dev.clew.springboot;

import dev.clew.SessionStore;
import dev.clew.kit.BackendStore;
import io.micrometer.observation.ObservationRegistry;

/** Observes the calls of stores. Thread-safe. */
final class StoreObservation {
  private final ObservationRegistry registry;

  StoreObservation(ObservationRegistry registry) {
    this.registry = registry;
  }

  SessionStore of(SessionStore store, String kind) {
    return BackendStore.decorate(store, backend -> new ObservedBackend(backend, registry, kind));
  }
}
