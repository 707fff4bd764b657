package dev.clew.server.internal.telemetry;

import dev.clew.SessionStore;
import dev.clew.agent.Model;
import dev.clew.kit.BackendStore;
import io.opentelemetry.context.Context;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Metrics and spans of a server. Thread-safe. */
public record Telemetry(Meters meters, Traces traces) {

  /** A store whose calls are measured. Closing it closes the store. */
  public SessionStore observe(SessionStore store) {
    return BackendStore.decorate(store, backend -> new ObservedBackend(backend, this));
  }

  /** A model whose requests are measured within the current span. */
  public Model observe(Model model, String name) {
    return new ObservedModel(model, name, this);
  }

  /** The same model for a run on other threads, within the current span. */
  public static Model here(Model model) {
    return model instanceof ObservedModel observed ? observed.here() : model;
  }

  /** Measures a turn from its start to its result, within the current span. */
  public Runnable turn(
      String api, String conversation, Runnable turn, CompletableFuture<?> result) {
    Context caller = Context.current();
    return () -> {
      Traces.Running span = traces.turn(caller, conversation);
      long begun = System.nanoTime();
      var unused =
          result.whenComplete(
              (end, failure) -> {
                meters.turn(api, failure != null, System.nanoTime() - begun);
                span.end(failure == null ? null : new TurnFailed());
              });
      try {
        turn.run();
      } finally {
        span.leave();
      }
    };
  }

  private static final class TurnFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  <T> T operation(String name, Supplier<T> work) {
    Traces.Running span = traces.operation(name);
    long begun = System.nanoTime();
    RuntimeException failure = null;
    try {
      return work.get();
    } catch (RuntimeException e) {
      failure = e;
      throw e;
    } finally {
      meters.operation(name, failure != null, System.nanoTime() - begun);
      Traces.end(span, failure);
    }
  }

  /** An operation that ends later; its span covers only its start. */
  <T> CompletableFuture<T> laterOperation(String name, Supplier<CompletableFuture<T>> work) {
    Traces.Running span = traces.operation(name);
    long begun = System.nanoTime();
    CompletableFuture<T> result;
    try {
      result = work.get();
    } catch (RuntimeException e) {
      meters.operation(name, true, System.nanoTime() - begun);
      Traces.end(span, e);
      throw e;
    }
    Traces.end(span, null);
    return result.whenComplete(
        (done, failure) -> meters.operation(name, failure != null, System.nanoTime() - begun));
  }
}
