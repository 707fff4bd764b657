package dev.clew.server.internal.telemetry;

import dev.clew.agent.Usage;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.CallListener;
import dev.clew.server.internal.http.Upgrade;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.LongStream;

/**
 * The metrics of a server. Thread-safe. Labels are routes, statuses and names of operations, never
 * ids, owners or paths, so their number is bounded.
 */
public final class Meters implements CallListener, AutoCloseable {
  private static final TimeUnit NANOS = TimeUnit.NANOSECONDS;
  private static final Duration[] BUCKETS =
      LongStream.of(1, 5, 25, 100, 250, 1_000, 5_000, 30_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Meter.MeterProvider<Timer> requests =
      timer("clew.http.requests", "Calls by route and status").withRegistry(registry);
  private final Meter.MeterProvider<Timer> operations =
      timer("clew.store.operations", "Calls of the store").withRegistry(registry);
  private final Meter.MeterProvider<Timer> turns =
      timer("clew.turns", "Turns, from the start to the stored answer").withRegistry(registry);
  private final Meter.MeterProvider<Timer> chores =
      timer("clew.chores", "Backups and retention runs").withRegistry(registry);
  private final Meter.MeterProvider<Timer> models =
      timer("clew.model.requests", "Requests to the model").withRegistry(registry);
  private final Timer firstToken =
      timer("clew.model.first.token", "Time to the first event of a streamed request")
          .register(registry);
  private final Timer lockWaits =
      timer("clew.turn.lock.wait", "Time turns waited for another turn of the session")
          .register(registry);
  private final Counter compactions =
      Counter.builder("clew.compactions")
          .description("Compactions of histories")
          .register(registry);
  private final Meter.MeterProvider<Counter> tokens =
      Counter.builder("clew.tokens").description("Tokens by kind").withRegistry(registry);

  /** Finding a timer by its tags would take longer than what it measures. */
  private final Map<CallKind, Timer> requestTimers = new ConcurrentHashMap<>();

  private final Map<OperationKind, Timer> operationTimers = new ConcurrentHashMap<>();
  private final Counter limited =
      Counter.builder("clew.limited")
          .description("Calls refused by a limit of the caller")
          .register(registry);

  public Meters() {
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
  }

  private static Timer.Builder timer(String name, String description) {
    return Timer.builder(name).description(description).serviceLevelObjectives(BUCKETS);
  }

  public void gauge(String name, String description, IntSupplier value) {
    Gauge.builder(name, value, IntSupplier::getAsInt)
        .description(description)
        .strongReference(true) // nobody else references it
        .register(registry);
  }

  private record CallKind(String method, String route, int status) {
    private String[] tags() {
      return new String[] {"method", method, "route", route, "status", String.valueOf(status)};
    }
  }

  private record OperationKind(String name, boolean failed) {
    private String[] tags() {
      return new String[] {"operation", name, "outcome", outcome(failed)};
    }
  }

  @Override
  public void answered(Call call) {
    answered(new CallKind(call.method(), call.route(), call.status()), call.nanos());
  }

  @Override
  public void answered(Upgrade.Answered request) {
    answered(
        new CallKind(Upgrade.Answered.METHOD, request.route(), request.status()), request.nanos());
  }

  private void answered(CallKind kind, long nanos) {
    requestTimers
        .computeIfAbsent(kind, missing -> requests.withTags(missing.tags()))
        .record(nanos, NANOS);
    if (kind.status() == 429) {
      limited.increment();
    }
  }

  @Override
  public void refusedUnread(int status) {
    requests.withTags(new CallKind("-", "(unread)", status).tags()).record(0, NANOS);
  }

  public void chore(String name, boolean failed, long nanos) {
    chores.withTags("chore", name, "outcome", outcome(failed)).record(nanos, NANOS);
  }

  void operation(String name, boolean failed, long nanos) {
    OperationKind kind = new OperationKind(name, failed);
    operationTimers
        .computeIfAbsent(kind, missing -> operations.withTags(missing.tags()))
        .record(nanos, NANOS);
  }

  void turn(String api, boolean failed, long nanos) {
    turns.withTags("api", api, "outcome", outcome(failed)).record(nanos, NANOS);
  }

  void model(boolean failed, long nanos) {
    models.withTags("outcome", outcome(failed)).record(nanos, NANOS);
  }

  void firstToken(long nanos) {
    firstToken.record(nanos, NANOS);
  }

  void lockWait(long nanos) {
    lockWaits.record(nanos, NANOS);
  }

  void compaction() {
    compactions.increment();
  }

  void used(Usage usage) {
    used("input", usage.inputTokens());
    used("cached", usage.cachedTokens());
    used("output", usage.outputTokens());
    used("reasoning", usage.reasoningTokens());
  }

  private void used(String kind, long count) {
    tokens.withTags("kind", kind).increment((double) count);
  }

  private static String outcome(boolean failed) {
    return failed ? "failed" : "ok";
  }

  public String scrape() {
    return registry.scrape();
  }

  @Override
  public void close() {
    registry.close();
  }
}
