package dev.clew.server.internal.telemetry;

import dev.clew.agent.Model;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelResponse;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A model whose requests are measured. Thread-safe. Requests on other threads belong to the span in
 * which the model was obtained.
 */
final class ObservedModel implements Model {
  private final Model model;
  private final String name;
  private final Telemetry telemetry;
  private final Context made = Context.current();

  ObservedModel(Model model, String name, Telemetry telemetry) {
    this.model = model;
    this.name = name;
    this.telemetry = telemetry;
  }

  ObservedModel here() {
    return new ObservedModel(model, name, telemetry);
  }

  @Override
  public ModelResponse respond(ModelRequest request) {
    return measured(() -> model.respond(request));
  }

  @Override
  public ModelResponse stream(ModelRequest request, Consumer<ModelEvent> listener) {
    long begun = System.nanoTime();
    AtomicBoolean first = new AtomicBoolean(true);
    return measured(
        () ->
            model.stream(
                request,
                event -> {
                  if (first.compareAndSet(true, false)) {
                    telemetry.meters().firstToken(System.nanoTime() - begun);
                  }
                  listener.accept(event);
                }));
  }

  @Override
  public boolean takesTools(String type) {
    return model.takesTools(type);
  }

  private ModelResponse measured(Supplier<ModelResponse> asking) {
    Context here = Context.current();
    boolean apart = !Span.fromContext(here).getSpanContext().isValid();
    Traces.Running span = telemetry.traces().model(apart ? made : here, name);
    long begun = System.nanoTime();
    Throwable failure = null;
    try {
      ModelResponse response = asking.get();
      telemetry.meters().used(response.usage());
      span.used(response.usage());
      return response;
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    } finally {
      telemetry.meters().model(failure != null, System.nanoTime() - begun);
      span.leave();
      span.end(failure);
    }
  }
}
