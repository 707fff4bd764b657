package dev.clew.server.internal.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.Lease;
import dev.clew.SessionKey;
import dev.clew.agent.Model;
import dev.clew.agent.ModelResponse;
import dev.clew.agent.Usage;
import dev.clew.memory.MemoryStore;
import dev.clew.server.Caller;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.operate.Scope;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What can be seen of a server from outside: metrics and spans. */
class TelemetryTest {
  private static final Model MODEL =
      request -> {
        if (request.input().toString().contains("fail")) {
          throw new ClewException.ModelFailed("it broke at the secret words", null, true);
        }
        return new ModelResponse(
            List.of(Item.assistant("fine")), Usage.of(12, 5), Optional.empty());
      };

  private final MemoryStore store = MemoryStore.builder().build();
  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final OpenTelemetrySdk sdk =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                  .build())
          .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
          .build();
  private final LiveServer live =
      new LiveServer(store, settings -> settings.model(MODEL, "tiny").openTelemetry(sdk));
  private final Caller ann = new Caller(live, "ann");
  private final String admin =
      "Bearer "
          + live.server()
              .tokens()
              .create("root", "", Set.of(Scope.ADMIN), Optional.empty())
              .secret();

  @AfterEach
  void stop() {
    live.close();
    sdk.close();
    store.close();
  }

  private String scrape() {
    HttpResponse<String> answer = live.send("GET", "/metrics", "", "Authorization", admin);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-type").orElseThrow())
        .startsWith("text/plain; version=0.0.4");
    return answer.body();
  }

  private Map<String, Double> metrics() {
    Map<String, Double> values = new LinkedHashMap<>();
    for (String line : scrape().lines().toList()) {
      if (!line.startsWith("#")) {
        int space = line.lastIndexOf(' ');
        values.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
      }
    }
    return values;
  }

  private double metric(String name, Predicate<Double> wanted) {
    return Eventually.ask(name, () -> metrics().getOrDefault(name, 0.0), wanted);
  }

  @Test
  void callsTurnsModelStoreAndTokensAreCounted() {
    ann.say("trip", "hello").is(200);
    ann.post("/v1/responses", "{\"model\":\"tiny\",\"input\":\"hello\"}").is(200);
    ann.post("/v1/responses", "{\"model\":\"tiny\",\"input\":\"fail\"}").is(502);
    ann.get("/api/sessions/trip").is(200);
    ann.get("/api/sessions/none").is(404);
    String route =
        "clew_http_requests_seconds_count{method=\"GET\",route=\"/api/sessions/{session_id}\",";
    metric(route + "status=\"200\"}", count -> count == 1);
    metric(route + "status=\"404\"}", count -> count == 1);
    metric("clew_turns_seconds_count{api=\"chat\",outcome=\"ok\"}", count -> count == 1);
    metric("clew_turns_seconds_count{api=\"responses\",outcome=\"ok\"}", count -> count == 1);
    metric("clew_turns_seconds_count{api=\"responses\",outcome=\"failed\"}", count -> count == 1);
    metric("clew_model_requests_seconds_count{outcome=\"ok\"}", count -> count == 2);
    metric("clew_model_requests_seconds_count{outcome=\"failed\"}", count -> count == 1);
    metric("clew_model_first_token_seconds_count", count -> count == 1);
    metric("clew_tokens_total{kind=\"input\"}", count -> count == 24);
    metric("clew_tokens_total{kind=\"output\"}", count -> count == 10);
    metric(
        "clew_store_operations_seconds_count{operation=\"apply\",outcome=\"ok\"}",
        count -> count >= 2);
    metric(
        "clew_store_operations_seconds_count{operation=\"records.get\",outcome=\"ok\"}",
        count -> count >= 5);
    assertThat(scrape()).contains("jvm_memory_used_bytes{area=\"heap\"");
  }

  @Test
  void waitingCompactionsStreamsAndRefusalsAreCounted() {
    ann.say("trip", "hello").is(200);
    ann.say("trip", "hello again").is(200);
    ann.post("/api/sessions/trip/compact", "").is(200);
    metric("clew_compactions_total", count -> count == 1);
    String acquiring =
        "clew_store_operations_seconds_count{operation=\"leases.tryAcquire\",outcome=\"ok\"}";
    double before = metric(acquiring, count -> count >= 3);
    Lease held =
        store
            .session(new SessionKey("ann", "trip"))
            .lease("turn", Duration.ofMinutes(1), Duration.ZERO);
    CompletableFuture<Caller.Answer> waiting =
        ann.sendAsync("POST", "/api/sessions/trip/regenerate", "");
    metric(acquiring, count -> count >= before + 3);
    held.close();
    Caller.join(waiting).is(200);
    metric("clew_turn_lock_wait_seconds_sum", sum -> sum > 0);
    try (Caller.Events events = ann.stream("GET", "/api/sessions/trip/events", "")) {
      System.gc(); // what is shown must not depend on who else holds it
      metric("clew_streams_open", count -> count == 1);
      assertThat(events).isNotNull();
    }
    assertThat(metrics()).containsEntry("clew_limited_total", 0.0);
  }

  @Test
  void noIdAndNoPathIsEverALabel() {
    for (int i = 0; i < 20; i++) {
      ann.get("/api/sessions/canary-" + i);
      ann.get("/canary/" + i);
      ann.send("CANARY" + i, "/api/sessions", "");
    }
    metric(
        "clew_http_requests_seconds_count{method=\"GET\",route=\"none\",status=\"404\"}",
        count -> count == 20);
    assertThat(scrape().toLowerCase(java.util.Locale.ROOT))
        .doesNotContain("canary")
        .doesNotContain("ann\"");
  }

  @Test
  void metricsAreForAdministrators_unlessTheyWereOpened() {
    assertThat(live.send("GET", "/metrics", "").statusCode()).isEqualTo(401);
    ann.get("/metrics").is(403);
    String scraper =
        "Bearer "
            + live.server()
                .tokens()
                .create("monitoring", "", Set.of(Scope.METRICS), Optional.empty())
                .secret();
    for (String path : List.of("/metrics", "/api/sessions", "/api/admin/tokens")) {
      assertThat(live.send("GET", path, "", "Authorization", scraper).statusCode())
          .isEqualTo(path.equals("/metrics") ? 200 : 403);
    }
    try (LiveServer open = new LiveServer(store, settings -> settings.openMetrics(true))) {
      assertThat(open.send("GET", "/metrics", "").statusCode()).isEqualTo(200);
    }
  }

  private SpanData span(String name) {
    return span(name, span -> true);
  }

  private SpanData span(String name, Predicate<SpanData> wanted) {
    return Eventually.ask(
            name,
            () ->
                exporter.getFinishedSpanItems().stream()
                    .filter(span -> span.getName().equals(name) && wanted.test(span))
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  private static Object attribute(SpanData span, String name) {
    return span.getAttributes().asMap().entrySet().stream()
        .filter(entry -> entry.getKey().getKey().equals(name))
        .findFirst()
        .map(Map.Entry::getValue)
        .orElse(null);
  }

  @Test
  void aCallIsASpanOfItsCallersTrace_andTurnModelAndStoreArePartsOfIt() {
    String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    ann.say("trip", "hello", "traceparent", "00-" + trace + "-00f067aa0ba902b7-01").is(200);
    SpanData call = span("POST /api/chat");
    assertThat(call.getTraceId()).isEqualTo(trace);
    assertThat(call.getParentSpanId()).isEqualTo("00f067aa0ba902b7");
    assertThat(call.getKind()).isEqualTo(SpanKind.SERVER);
    assertThat(attribute(call, "http.route")).isEqualTo("/api/chat");
    assertThat(attribute(call, "http.response.status_code")).isEqualTo(200L);
    SpanData turn = span("invoke_agent");
    assertThat(turn.getParentSpanId()).isEqualTo(call.getSpanId());
    assertThat(attribute(turn, "gen_ai.conversation.id")).isEqualTo("trip");
    SpanData model = span("chat tiny");
    assertThat(model.getParentSpanId()).isEqualTo(turn.getSpanId());
    assertThat(attribute(model, "gen_ai.operation.name")).isEqualTo("chat");
    assertThat(attribute(model, "gen_ai.request.model")).isEqualTo("tiny");
    assertThat(attribute(model, "gen_ai.conversation.id")).isEqualTo("trip");
    assertThat(attribute(model, "gen_ai.usage.input_tokens")).isEqualTo(12L);
    assertThat(attribute(model, "gen_ai.usage.output_tokens")).isEqualTo(5L);
    SpanData asked = span("store info", span -> span.getTraceId().equals(trace));
    assertThat(attribute(asked, "db.operation.name")).isEqualTo("info");
  }

  @Test
  void aTurnOfAConversationHasItsId_andAFailureIsToldByItsKindOnly() {
    String id = ann.post("/v1/conversations", "{}").is(200).text("id");
    String body = "{\"model\":\"tiny\",\"input\":\"fail\",\"conversation\":\"" + id + "\"}";
    ann.post("/v1/responses", body).is(502);
    SpanData turn = span("invoke_agent");
    assertThat(attribute(turn, "gen_ai.conversation.id")).isEqualTo(id);
    assertThat(turn.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    SpanData model = span("chat tiny");
    assertThat(model.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(attribute(model, "error.type")).isEqualTo(ClewException.ModelFailed.class.getName());
    assertThat(span("POST /v1/responses").getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(exporter.getFinishedSpanItems().toString()).doesNotContain("secret words");
  }
}
