package dev.clew.server.internal.completions;

import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.agent.Model;
import dev.clew.server.internal.completions.CompletionTurn.Asked;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.EventStream;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.runs.EventLog;
import dev.clew.server.internal.runs.EventLogs;
import dev.clew.server.internal.runs.RunKey;
import dev.clew.server.internal.runs.Stop;
import dev.clew.server.internal.runs.Titles;
import dev.clew.server.internal.runs.TurnEngine;
import dev.clew.server.internal.runs.UsageBook;
import dev.clew.server.internal.wire.ConversationIds;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.ServerSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** OpenAI's Chat Completions API over a store and a model. Thread-safe. */
public final class CompletionsApi {
  static final String PATH = "/v1/chat/completions";
  private static final String SESSION = "X-Clew-Session";

  private final ServerSettings settings;
  private final SessionStore store;
  private final TurnEngine engine;
  private final Recognition recognition;
  private final CompletionServices services;

  public CompletionsApi(
      TurnEngine engine, ServerSettings settings, EventLogs logs, UsageBook usage, Titles titles) {
    this.engine = engine;
    this.settings = settings;
    this.store = settings.store();
    this.recognition = new Recognition(store);
    this.services =
        new CompletionServices(
            settings.models(),
            new Recorder(store, recognition),
            new StoredCompletions(store, settings.clock(), settings.turns().responsesKept()),
            logs,
            usage,
            titles,
            settings.clock());
  }

  public List<Route> routes() {
    List<Route> routes = new ArrayList<>();
    routes.add(
        Route.post(PATH, Scope.WRITE, "Creates a chat completion.", this::create)
            .taking(Route.LARGE_BODY)
            .waiting(Route.Waits.LONG));
    routes.addAll(new StoredCompletionsApi(services.stored(), settings.strict()).routes());
    return routes;
  }

  private void create(Call call) {
    CompletionRequest request = CompletionRequest.read(call.fields(), settings.strict());
    checkModel(request);
    Keeping keeping = Keeping.of(call, request, store, settings.recognizesSessions());
    Optional<Place> place =
        keeping.kept()
            ? Optional.of(recognition.find(call.owner(), keeping.named(), request.given()))
            : Optional.empty();
    Asked asked =
        new Asked(
            call.owner(),
            StoredCompletions.newId(),
            call.requestId(),
            request,
            keeping,
            place,
            ModelQuestion.of(request, settings.turns().contextTokens()));
    reply(call, start(asked), asked);
  }

  private void checkModel(CompletionRequest request) {
    String name = request.model();
    if (settings.strict() && settings.models().find(name).isEmpty()) {
      throw Problem.invalid(
          "model_not_found", "model", "The requested model '" + name + "' does not exist.");
    }
    Model model = settings.models().named(name);
    ChatTools.checkRunnable(request.fields(), model);
  }

  private Started start(Asked asked) {
    Optional<EventLog> log =
        asked.request().stream()
            ? Optional.of(services.logs().beginUnkept(RunKey.alone(asked.owner(), asked.id())))
            : Optional.empty();
    CompletionTurn turn = new CompletionTurn(services, asked, log);
    engine.start(turn);
    return new Started(turn, log);
  }

  private record Started(CompletionTurn turn, Optional<EventLog> log) {}

  private void reply(Call call, Started started, Asked asked) {
    CompletionTurn turn = started.turn();
    if (started.log().isEmpty()) {
      call.replyLater(
          turn.result()
              .thenApply(
                  json -> {
                    turn.session().ifPresent(key -> name(call, key));
                    return json;
                  }));
      return;
    }
    asked
        .place()
        .filter(place -> place.kind() == Place.Kind.APPEND) // others may never exist
        .ifPresent(place -> name(call, place.session()));
    EventStream stream = call.stream(refused -> EventStream.data(Chunks.error(refused)));
    services.logs().follow(started.log().get(), stream, (to, event) -> to.sendData(event.data()));
    if (!asked.request().isStored()) { // nobody can come back for it
      stream.onEnd(() -> turn.stop(Stop.Reason.CANCELLED));
    }
  }

  private static void name(Call call, SessionKey key) {
    call.answerHeader(SESSION, ConversationIds.toWire(key.id()));
  }
}
