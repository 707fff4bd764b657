package dev.clew.server.internal.completions;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelResponse;
import dev.clew.agent.Usage;
import dev.clew.json.JsonObject;
import dev.clew.json.UncheckedJson;
import dev.clew.server.internal.completions.StoredCompletions.Stored;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.runs.EventLog;
import dev.clew.server.internal.runs.Stop;
import dev.clew.server.internal.runs.Turn;
import dev.clew.server.internal.wire.WireItems;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One completion: asks the model, sends the pieces, records what was said. */
final class CompletionTurn extends Turn {
  private static final Logger LOG = LoggerFactory.getLogger(CompletionTurn.class);

  private final CompletionServices services;
  private final Asked asked;
  private final Optional<EventLog> log;
  private final Optional<Chunks> chunks;
  private final long created;
  private List<Item> output = List.of();
  private @Nullable Completion answer;
  private Usage used = Usage.NONE;
  private volatile Optional<SessionKey> session = Optional.empty();

  /**
   * What was asked. Immutable.
   *
   * @param place where it is recorded; empty if it is not
   */
  record Asked(
      String owner,
      String id,
      String requestId,
      CompletionRequest request,
      Keeping keeping,
      Optional<Place> place,
      ModelRequest toModel) {}

  CompletionTurn(CompletionServices services, Asked asked, Optional<EventLog> log) {
    super(
        new Name(
            "completions",
            asked.owner(),
            asked.id(),
            asked.place().map(place -> place.session().id()).orElse(asked.id())));
    this.services = services;
    this.asked = asked;
    this.log = log;
    this.created = services.now();
    this.chunks =
        log.map(
            into ->
                new Chunks(
                    into,
                    chunk -> head(chunk),
                    asked.request().usage(),
                    asked.request().functions()));
  }

  private JsonObject head(JsonObject chunk) {
    return chunk
        .put("id", asked.id())
        .put("object", "chat.completion.chunk")
        .put("created", created)
        .put("model", asked.request().model())
        .put("service_tier", "default")
        .put("system_fingerprint", (Object) null);
  }

  /** The session in which it was recorded, once it was. */
  Optional<SessionKey> session() {
    return session;
  }

  @Override
  protected boolean isToStop() {
    return false; // only its client can stop it, by leaving
  }

  @Override
  protected void answer() {
    ModelResponse response;
    try {
      response = stop().guard(this::ask);
    } catch (Stop.Stopped e) {
      response = broken(e);
    }
    used = response.usage();
    output = Said.withIds(response.output());
    Completion whole = Completion.of(output, asked.request().functions(), response.incomplete());
    answer = whole;
    chunks.ifPresent(each -> each.rest(output, whole));
  }

  private ModelResponse ask() {
    var model = services.models().named(asked.request().model());
    if (chunks.isEmpty()) {
      return model.respond(asked.toModel());
    }
    return model.stream(
        asked.toModel(),
        event -> {
          stop().check();
          chunks.get().accept(event);
        });
  }

  /** What the client has seen of an answer when it left. */
  private ModelResponse broken(Stop.Stopped stopped) {
    String seen = chunks.map(Chunks::content).orElse("");
    if (stopped.reason() != Stop.Reason.CANCELLED || asked.place().isEmpty() || seen.isEmpty()) {
      throw stopped;
    }
    Map<String, String> fields = UncheckedJson.fields(Item.assistant(seen).json());
    fields.put("type", "\"message\"");
    fields.put("status", "\"incomplete\"");
    return ModelResponse.of(Item.stored(WireItems.object(fields)));
  }

  @Override
  protected CompletableFuture<Void> commit() {
    asked.place().ifPresent(this::record);
    return CompletableFuture.completedFuture(null);
  }

  private String model() {
    return services.models().choice(asked.request().model());
  }

  private void record(Place place) {
    CompletionRequest request = asked.request();
    Map<String, Object> tokens = new LinkedHashMap<>();
    if (!used.equals(Usage.NONE)) {
      tokens.put("model", model());
      tokens.put("input_tokens", used.inputTokens());
      if (used.cachedTokens() > 0) {
        tokens.put("cached_tokens", used.cachedTokens());
      }
      tokens.put("output_tokens", used.outputTokens());
    }
    Said said =
        new Said(
            asked.id(),
            services.clock().instant(),
            request.isStored(),
            request.given(),
            output,
            tokens);
    services
        .recorder()
        .record(said, asked.keeping().named(), place)
        .ifPresent(
            recorded -> {
              session = Optional.of(recorded.session());
              if (request.isStored()) {
                services.stored().put(asked.owner(), stored(recorded), true);
              }
            });
  }

  private Stored stored(Recorder.Recorded recorded) {
    CompletionRequest request = asked.request();
    JsonObject json = json();
    json.raw("metadata", request.fields().rawOr("metadata", "{}"))
        .put("request_id", asked.requestId())
        .put("input_user", (Object) null);
    for (String name :
        List.of(
            "tools",
            "tool_choice",
            "seed",
            "temperature",
            "top_p",
            "presence_penalty",
            "frequency_penalty",
            "response_format")) {
      json.raw(name, request.fields().rawOr(name, "null"));
    }
    return new Stored(
        asked.id(),
        0,
        recorded.session().id(),
        recorded.last(),
        ItemMessages.of(request.given().items()).size(),
        json.toString());
  }

  private JsonObject json() {
    Completion whole = answer;
    if (whole == null) {
      throw new IllegalStateException("nothing was answered");
    }
    return whole.json(asked.id(), created, asked.request().model(), used);
  }

  @Override
  protected Ending end(@Nullable Throwable raised) {
    Throwable failure =
        raised instanceof Stop.Stopped
            ? Problem.unavailable("server_stopped", "The server stopped before it answered.")
            : raised;
    session.ifPresent(services.titles()::said);
    boolean answered = failure == null;
    if (answered || !used.equals(Usage.NONE)) {
      services.usage().add(asked.owner(), model(), answered ? 1 : 0, used);
    }
    return new Ending(answered ? json().toString() : "{}", failure);
  }

  @Override
  protected void publish(Ending ending) {
    if (log.isEmpty()) {
      return;
    }
    Chunks sent = chunks.orElseThrow();
    Throwable failure = ending.failure();
    Completion whole = answer;
    if (failure == null && whole != null) {
      sent.end(whole.finish(), used);
    } else if (failure != null) {
      LOG.warn("{} completion {}: {}", asked.requestId(), asked.id(), failure.toString());
      sent.fail(Problem.of(failure, asked.requestId()));
    }
    services.logs().end(log.get());
  }
}
