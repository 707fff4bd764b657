package dev.clew.server.internal.responses;

import dev.clew.ClewException;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.EventStream;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.responses.IdempotencyKeys.Claim;
import dev.clew.server.internal.responses.StoredResponse.Phase;
import dev.clew.server.internal.runs.CompactionSeal;
import dev.clew.server.internal.runs.EventLog;
import dev.clew.server.internal.runs.EventLog.Event;
import dev.clew.server.internal.runs.EventLogs;
import dev.clew.server.internal.runs.RunKey;
import dev.clew.server.internal.runs.Stop;
import dev.clew.server.internal.runs.Titles;
import dev.clew.server.internal.runs.TurnEngine;
import dev.clew.server.internal.runs.UsageBook;
import dev.clew.server.internal.sockets.Sockets;
import dev.clew.server.internal.wire.Entries;
import dev.clew.server.internal.wire.Includes;
import dev.clew.server.operate.AuditLog;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.ServerSettings;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** OpenAI's Responses API over a store and a model. Thread-safe. */
public final class ResponsesApi implements AutoCloseable {
  private static final String ONE = "/v1/responses/{response_id}";

  private final ServerSettings settings;
  private final TurnEngine engine;
  private final ResponseServices services;
  private final TurnPreparer turns;
  private final ResponseStarts starts;
  private final Sockets sockets;

  public ResponsesApi(
      TurnEngine engine,
      ServerSettings settings,
      CompactionSeal seal,
      EventLogs logs,
      UsageBook usage,
      Titles titles,
      AuditLog audit,
      Sockets sockets) {
    this.engine = engine;
    this.settings = settings;
    this.services = ResponseServices.of(settings, seal, logs, usage, titles, audit);
    this.turns = new TurnPreparer(settings.store(), services.records(), engine, settings.turns());
    this.starts = new ResponseStarts(settings, engine, services, turns);
    this.sockets = sockets;
  }

  /** Longer paths come first: they would pass for an id. */
  public List<Route> routes() {
    CompactApi compactApi = new CompactApi(services, turns, settings.strict());
    return List.of(
        Route.post("/v1/responses", Scope.WRITE, "Creates a response.", this::create)
            .taking(Route.LARGE_BODY)
            .waiting(Route.Waits.LONG),
        Route.get("/v1/responses", Scope.WRITE, "Opens a WebSocket.", this::connect),
        Route.post("/v1/responses/compact", Scope.WRITE, "Compacts a context.", compactApi::compact)
            .taking(Route.LARGE_BODY)
            .waiting(Route.Waits.LONG),
        Route.post("/v1/responses/input_tokens", Scope.READ, "Counts tokens.", compactApi::count)
            .taking(Route.LARGE_BODY),
        Route.get(ONE, Scope.READ, "Retrieves a response.", this::retrieve),
        Route.delete(ONE, Scope.WRITE, "Deletes a response.", this::delete),
        Route.post(ONE + "/cancel", Scope.WRITE, "Cancels a background response.", this::cancel),
        Route.get(ONE + "/input_items", Scope.READ, "Lists input items.", this::listInput));
  }

  private void connect(Call call) {
    sockets.open(call, socket -> new ResponseSocket(socket, starts, services, settings.strict()));
  }

  private ResponseStreams streams() {
    return new ResponseStreams(services.logs(), services.records());
  }

  private void create(Call call) {
    CreateRequest request = CreateRequest.read(call.fields(), settings.strict());
    request.checkExclusive();
    // A first request that leaves no trace cannot be repeated.
    Optional<String> once =
        call.idempotencyKey().filter(key -> request.store() || request.conversation().isPresent());
    Optional<Claimed> claimed = once.map(key -> claim(call, key));
    if (claimed.isPresent() && !claimed.get().claim().mine()) {
      answerAgain(call, request, claimed.get());
      return;
    }
    Optional<Claim> claim = claimed.map(Claimed::claim);
    try {
      String id = claim.map(Claim::response).orElseGet(ResponseJson::newId);
      ResponseTurn turn = starts.start(call.owner(), call.requestId(), id, request, claim);
      claim.ifPresent(services.keys()::started);
      reply(call, turn);
    } catch (RuntimeException | Error e) {
      claim.ifPresent(mine -> giveBack(mine, e));
      throw e;
    }
  }

  /** Releases the key unless the response was announced. */
  private void giveBack(Claim claim, Throwable failure) {
    try {
      services
          .keys()
          .end(claim, services.records().read(claim.owner(), claim.response()).isPresent());
    } catch (ClewException e) {
      failure.addSuppressed(e); // the key is released when this server stops
    }
  }

  /** A key, and the stored response of an earlier request with it. */
  private record Claimed(Claim claim, Optional<StoredResponse> before) {}

  /** Takes the key, also from a server that died before it stored anything. */
  private Claimed claim(Call call, String key) {
    while (true) {
      Claim claim = services.keys().claim(call.owner(), key, call.body(), ResponseJson.newId());
      if (claim.mine() || running(call, claim.response()).isPresent()) {
        return new Claimed(claim, Optional.empty());
      }
      if (services.keys().awaitStart(claim)) {
        continue;
      }
      Optional<StoredResponse> found = services.records().find(call.owner(), claim.response());
      boolean lost =
          found.isPresent()
              ? found.get().status().equals("failed")
              : !claim.done() && !services.keys().isUnderWay(claim);
      if (!lost) {
        return new Claimed(claim, found);
      }
      // With the same id if the response is unknown: should the other server still be alive, only
      // one of the two can announce it or store its turn.
      String id = found.isPresent() ? ResponseJson.newId() : claim.response();
      Optional<Claim> mine = services.keys().takeOver(claim, id);
      if (mine.isPresent()) {
        return new Claimed(mine.get(), Optional.empty());
      }
    }
  }

  private void reply(Call call, ResponseTurn run) {
    CreateRequest request = run.asked().request();
    if (request.stream()) {
      EventStream stream = streams().follow(call, run.log().orElseThrow());
      if (!request.store()) { // nobody can come back for it
        stream.onEnd(() -> run.stop(Stop.Reason.CANCELLED));
      }
    } else if (request.background()) {
      call.replyJson(run.begun());
    } else {
      call.replyLater(run.result());
    }
  }

  private Optional<ResponseTurn> running(Call call, String id) {
    return engine.find(call.owner(), id, ResponseTurn.class);
  }

  private void answerAgain(Call call, CreateRequest request, Claimed claimed) {
    Claim claim = claimed.claim();
    String id = claim.response();
    Optional<ResponseTurn> running = running(call, id);
    if (running.isPresent()) {
      reply(call, running.get());
      return;
    }
    // As it was when the key was not taken: it may have failed and been retried since.
    Optional<StoredResponse> found =
        claimed.before().or(() -> services.records().find(call.owner(), id));
    if (found.isPresent() && request.stream()) {
      streams().resume(call, found.get(), -1);
    } else if (found.isPresent() && (found.get().phase() == Phase.DONE || request.background())) {
      call.replyJson(found.get().shown());
    } else if (found.isEmpty() && claim.done()) {
      throw IdempotencyKeys.used();
    } else {
      throw IdempotencyKeys.inProgress();
    }
  }

  private StoredResponse find(Call call) {
    String id = call.path("response_id");
    return services
        .records()
        .find(call.owner(), id)
        .orElseThrow(() -> ResponseRecords.notFound(id));
  }

  private void retrieve(Call call) {
    StoredResponse response = find(call);
    Includes.check(call.queryAll("include"), settings.strict());
    if (call.queryFlag("stream")) {
      streams().resume(call, response, call.query("starting_after", -1, -1, Integer.MAX_VALUE));
    } else {
      call.replyJson(response.shown());
    }
  }

  private void listInput(Call call) {
    new InputItems(settings.store(), settings.strict()).list(call, find(call));
  }

  private void cancel(Call call) {
    StoredResponse response = find(call);
    if (!response.background()) {
      throw Problem.invalid(
          "invalid_value",
          "response_id",
          "Cannot cancel a synchronous response: it was not created with 'background'.");
    }
    while (response.phase() == Phase.RUNNING) {
      try {
        response =
            services
                .records()
                .put(response.response(Phase.DONE, ResponseJson.cancelled(response.response())));
        running(call, response.id()).ifPresent(run -> run.stop(Stop.Reason.CANCELLED));
      } catch (ClewException.VersionConflict e) { // it has just changed
        response = find(call);
      }
    }
    call.replyJson(response.shown());
  }

  private void delete(Call call) {
    StoredResponse response = find(call);
    running(call, response.id()).ifPresent(run -> run.stop(Stop.Reason.CANCELLED));
    // A session with nothing else in it is deleted too, but not one that later responses follow.
    // It goes first, so that one under a legal hold keeps its response.
    if (response.hasTurn()
        && response.home().key().id().equals(response.id())
        && isLast(response)) {
      settings.store().session(response.home().key()).delete();
    }
    if (!services.records().delete(call.owner(), response.id())) {
      throw ResponseRecords.notFound(response.id());
    }
    services.logs().deleteAll(call.owner(), response.id());
    call.reply(
        new JsonObject().put("id", response.id()).put("object", "response").put("deleted", true));
  }

  private boolean isLast(StoredResponse response) {
    return Entries.newest(settings.store().session(response.home().key()))
        .filter(last -> last.position() > response.span().last())
        .isEmpty();
  }

  @Override
  public void close() {
    services.keys().close();
  }

  /** Streams the events of responses. Thread-safe. */
  private record ResponseStreams(EventLogs logs, ResponseRecords records) {
    EventStream follow(Call call, EventLog log) {
      Sending sending = new Sending(-1);
      EventStream stream = call.stream(sending::refused);
      logs.follow(log, stream, sending);
      return stream;
    }

    /** Streams the events after a number, of a response at any server. */
    void resume(Call call, StoredResponse response, long after) {
      RunKey key = RunKey.alone(response.owner(), response.id());
      if (response.phase() == Phase.DONE && !logs.exists(key)) {
        throw Problem.invalid(
            "invalid_value",
            "stream",
            "This response cannot be streamed: it was not created with 'stream' or 'background', or"
                + " its events are not kept any more. Retrieve it without 'stream'.");
      }
      Sending sending = new Sending(after);
      EventStream stream = call.stream(sending::refused);
      logs.follow(key, after, stream, sending, last -> end(response, last));
    }

    private Optional<List<Event>> end(StoredResponse response, long last) {
      return records
          .find(response.owner(), response.id())
          .filter(found -> found.phase() == Phase.DONE)
          .map(
              found -> {
                String type = ResponseTurn.terminal(found.response());
                JsonObject data =
                    new JsonObject()
                        .put("type", type)
                        .put("sequence_number", last + 1)
                        .raw("response", found.response());
                return List.of(new Event(last + 1, type, data.toString()));
              });
    }
  }

  /** Sends the events of a response to one reader. Thread-safe. */
  private static final class Sending implements EventLogs.Sender {
    private static final Set<String> LAST =
        Set.of("response.completed", "response.incomplete", "response.failed");

    private volatile long last;

    /** After an event that the reader has. */
    Sending(long after) {
      last = after;
    }

    @Override
    public void send(EventStream stream, Event event) {
      last = event.number(); // first, because refused() may be called at any time
      stream.send(event.name(), event.data());
      if (LAST.contains(event.name())) {
        stream.sendData("[DONE]");
      }
    }

    /** An error only for this reader: the response goes on, and has not failed. */
    String refused(Problem why) {
      JsonObject event = new JsonObject().put("type", "error").put("sequence_number", last + 1);
      return EventStream.event("error", Emitter.error(event, why.code(), why).toString());
    }
  }
}
