package dev.clew.server.internal.telemetry;

import dev.clew.agent.Usage;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.CallListener;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Spans of calls, turns, model requests and store operations. Thread-safe. They go nowhere unless
 * OpenTelemetry is set up in this JVM, usually by its agent.
 */
public final class Traces implements CallListener {
  private static final ContextKey<String> CONVERSATION = ContextKey.named("clew-conversation");

  private final OpenTelemetry openTelemetry;
  private final boolean off;
  private final Tracer tracer;

  public Traces(OpenTelemetry openTelemetry) {
    this.openTelemetry = openTelemetry;
    this.off = openTelemetry.getTracerProvider() == TracerProvider.noop();
    this.tracer = openTelemetry.getTracer("dev.clew.server");
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // the caller closes it
  public Runnable begun(Call call) {
    if (off) {
      return () -> {};
    }
    String name = call.method() + " " + call.route();
    Span outer = Span.current();
    if (outer
        .getSpanContext()
        .isValid()) { // made by the agent for Jetty; it does not know our routes
      outer.updateName(name).setAttribute("http.route", call.route());
      return () -> {};
    }
    Span span =
        tracer
            .spanBuilder(name)
            .setSpanKind(SpanKind.SERVER)
            .setParent(
                openTelemetry
                    .getPropagators()
                    .getTextMapPropagator()
                    .extract(Context.root(), call, Headers.READ))
            .setAttribute("http.request.method", call.method())
            .setAttribute("http.route", call.route())
            .setAttribute("clew.request.id", call.requestId())
            .startSpan();
    call.onAnswered(
        () -> {
          span.setAttribute("http.response.status_code", call.status());
          if (call.status() >= 500) {
            span.setStatus(StatusCode.ERROR);
          }
          span.end();
        });
    Scope scope = span.makeCurrent();
    return scope::close;
  }

  Running turn(Context parent, String conversation) {
    SpanBuilder span =
        tracer
            .spanBuilder("invoke_agent")
            .setAttribute("gen_ai.operation.name", "invoke_agent")
            .setAttribute("gen_ai.conversation.id", conversation);
    return new Running(span, parent.with(CONVERSATION, conversation));
  }

  Running model(Context parent, String name) {
    SpanBuilder span =
        tracer
            .spanBuilder("chat " + name)
            .setSpanKind(SpanKind.CLIENT)
            .setAttribute("gen_ai.operation.name", "chat")
            .setAttribute("gen_ai.request.model", name);
    String conversation = parent.get(CONVERSATION);
    if (conversation != null) {
      span.setAttribute("gen_ai.conversation.id", conversation);
    }
    return new Running(span, parent);
  }

  /** The span of a store operation; null outside of calls and turns. */
  @Nullable Running operation(String name) {
    Context parent = Context.current();
    if (!Span.fromContext(parent).getSpanContext().isValid()) {
      return null;
    }
    SpanBuilder span =
        tracer
            .spanBuilder("store " + name)
            .setSpanKind(SpanKind.CLIENT)
            .setAttribute("db.operation.name", name);
    return new Running(span, parent);
  }

  /** A span that is current on its thread until {@link #leave}. It may end later. */
  static final class Running {
    private final Span span;
    private final Scope scope;

    @SuppressWarnings("MustBeClosedChecker") // closed by leave
    private Running(SpanBuilder builder, Context parent) {
      this.span = builder.setParent(parent).startSpan();
      this.scope = parent.with(span).makeCurrent();
    }

    void used(Usage usage) {
      span.setAttribute("gen_ai.usage.input_tokens", usage.inputTokens());
      span.setAttribute("gen_ai.usage.output_tokens", usage.outputTokens());
    }

    void leave() {
      scope.close();
    }

    /** Ends the span; records only the type of a failure, because its message may quote people. */
    void end(@Nullable Throwable failure) {
      if (failure != null) {
        span.setStatus(StatusCode.ERROR);
        span.setAttribute("error.type", failure.getClass().getName());
      }
      span.end();
    }
  }

  static void end(@Nullable Running span, @Nullable Throwable failure) {
    if (span != null) {
      span.leave();
      span.end(failure);
    }
  }

  private enum Headers implements TextMapGetter<Call> {
    READ;

    @Override
    public Iterable<String> keys(Call call) {
      return List.of("traceparent", "tracestate", "baggage");
    }

    @Override
    public @Nullable String get(@Nullable Call call, String name) {
      return call == null ? null : call.header(name).orElse(null);
    }
  }
}
