package dev.clew.server.internal.responses;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.agent.Model;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelResponse;
import dev.clew.agent.Usage;
import dev.clew.server.internal.hosted.Hosted;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.responses.StoredResponse.Phase;
import dev.clew.server.internal.responses.TurnPreparer.PreparedTurn;
import dev.clew.server.internal.runs.EventLog;
import dev.clew.server.internal.runs.Stop;
import dev.clew.server.internal.runs.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One response: asks the model, publishes the events, stores the turn. */
final class ResponseTurn extends Turn {
  private static final Logger LOG = LoggerFactory.getLogger(ResponseTurn.class);

  /** How long to wait for a reader before looking whether the turn must stop. */
  private static final Duration PATIENCE = Duration.ofMillis(200);

  private final ResponseServices services;
  private final Asked asked;
  private final PreparedTurn turn;
  private final Optional<EventLog> log;
  private final Emitter events;
  private final String begun;
  private String finished;
  private @Nullable Output output;
  private @Nullable StoredResponse stored;
  private Usage used = Usage.NONE;

  /**
   * What was asked. Immutable.
   *
   * @param announced whether others may ask for the response before it is done
   * @param compactFirst whether the history must be compacted
   * @param toModel the request to the model, unless it depends on the compaction
   * @param reader of the events
   * @param hosted the MCP servers it may use, which the response closes
   */
  record Asked(
      String owner,
      String id,
      String requestId,
      CreateRequest request,
      boolean announced,
      Optional<IdempotencyKeys.Claim> claim,
      boolean compactFirst,
      Optional<ModelRequest> toModel,
      Namespaces namespaces,
      Reader reader,
      Hosted hosted) {}

  ResponseTurn(ResponseServices services, Asked asked, PreparedTurn turn, Optional<EventLog> log) {
    super(
        new Name(
            "responses",
            asked.owner(),
            asked.id(),
            asked.request().conversation().orElse(asked.id())));
    this.services = services;
    this.asked = asked;
    this.turn = turn;
    this.log = log;
    this.events = log.map(Emitter::to).orElse(Emitter.NOWHERE);
    this.begun = ResponseJson.begun(asked.id(), asked.request(), services.now());
    this.finished = begun;
  }

  Asked asked() {
    return asked;
  }

  Optional<EventLog> log() {
    return log;
  }

  String begun() {
    return begun;
  }

  /** The whole context with the output of a response, for the next one. */
  List<Item> contextWith(String response) {
    List<Item> all = turn.context();
    ResponseJson.output(response).forEach(json -> all.add(Item.trusted(json)));
    return TurnPreparer.fromNewestCompaction(all);
  }

  @Override
  protected void announce() {
    asked.hosted().use(services.approvals(), asked.owner(), asked.id());
    if (asked.announced() && asked.request().store()) {
      stored = services.records().put(unstored());
    }
  }

  /** A background response may be cancelled or deleted at another server. */
  @Override
  protected boolean isToStop() {
    return asked.request().background()
        && services
            .records()
            .read(asked.owner(), asked.id())
            .filter(response -> !response.status().equals("cancelled"))
            .isEmpty();
  }

  private StoredResponse unstored() {
    return StoredResponse.begun(
        asked.owner(),
        asked.id(),
        turn.home().orElseThrow(),
        turn.fence().map(fence -> fence.number()).orElse(-1L),
        turn.input(),
        asked.request().background(),
        begun);
  }

  @Override
  protected Ending end(@Nullable Throwable raised) {
    Throwable failure = raised;
    String end = finished;
    if (failure instanceof Stop.Stopped stopped) {
      failure =
          stopped.reason() == Stop.Reason.SERVER_STOPS
              ? Problem.unavailable("server_stopped", "The server stopped before it answered.")
              : null;
      end = failure == null ? ended(done(ResponseJson.cancelled(begun))) : failed(failure);
    } else if (failure != null) {
      end = failed(failure);
    }
    asked.hosted().close();
    // The next turn must not find the session locked after this one is known to be over.
    turn.close();
    boolean answered = failure == null;
    StoredResponse last = stored;
    boolean found = answered || (last != null && last.phase() != Phase.RUNNING && !isFailed(last));
    asked.claim().ifPresent(claim -> services.keys().end(claim, found));
    account(answered);
    return new Ending(end, failure);
  }

  @Override
  protected void publish(Ending ending) {
    if (log.isPresent()) {
      events.response(terminal(ending.json()), ending.json());
      services.logs().end(log.get());
    }
  }

  private static boolean isFailed(StoredResponse response) {
    return response.status().equals("failed");
  }

  private void account(boolean answered) {
    // A response without a conversation is listed by its first message anyway.
    turn.home()
        .filter(home -> !home.own() || services.titles().isWrittenByModel())
        .ifPresent(home -> services.titles().said(home.key()));
    if (answered || !used.equals(Usage.NONE)) {
      services
          .usage()
          .add(
              asked.owner(),
              services.models().choice(asked.request().model()),
              answered ? 1 : 0,
              used);
    }
  }

  /** The event that ends the stream of a response. */
  static String terminal(String response) {
    return switch (ResponseJson.status(response)) {
      case "completed" -> "response.completed";
      case "incomplete" -> "response.incomplete";
      default -> "response.failed"; // cancelled responses have no event of their own
    };
  }

  @Override
  protected void answer() {
    events.response("response.created", begun);
    String running = begun;
    if (asked.request().background()) {
      events.response("response.queued", begun);
      running = ResponseJson.inProgress(begun);
      StoredResponse queued = stored;
      if (queued != null) {
        stored = services.records().put(queued.response(Phase.RUNNING, running));
      }
    }
    events.response("response.in_progress", running);
    if (!asked.request().generate()) {
      finished = ResponseJson.finished(running, List.of(), used, services.now(), Optional.empty());
      return;
    }
    Output output = new Output(events, asked.namespaces());
    this.output = output;
    List<Item> all = new ArrayList<>();
    ModelRequest request;
    if (asked.compactFirst()) {
      var compacted =
          stop().guard(() -> services.context().compact(asked.owner(), turn.history(), ""));
      output.add(compacted.item());
      all.add(compacted.item());
      used = compacted.usage();
      List<Item> context = new ArrayList<>(all);
      context.addAll(turn.input());
      request =
          services.context().request(asked.owner(), asked.request(), context, asked.namespaces());
    } else {
      request = asked.toModel().orElseThrow();
    }
    Optional<String> cut = Optional.empty();
    Hosted hosted = asked.hosted();
    if (hosted.isNothing()) {
      ModelResponse answer = stop().guard(() -> ask(request, output));
      used = used.plus(answer.usage());
      all.addAll(answer.output());
      cut = answer.incomplete();
      output.answered(all);
    } else {
      output.answered(all);
      new HostedTurn(hosted, request, usage -> used = used.plus(usage), output, stop())
          .answer(services.models().named(asked.request().model()), log.isPresent());
    }
    finished = ResponseJson.finished(running, output.json(), used, services.now(), cut);
  }

  private ModelResponse ask(ModelRequest request, Output output) {
    Model model = services.models().named(asked.request().model());
    if (log.isEmpty()) {
      return model.respond(request);
    }
    EventLog written = log.get();
    return model.stream(
        request,
        event -> {
          do {
            stop().check();
          } while (!asked.reader().awaitRoom(written.added(), PATIENCE));
          output.accept(event);
        });
  }

  @Override
  protected CompletableFuture<Void> commit() {
    if (turn.home().isPresent()) {
      StoredResponse before = stored == null ? unstored() : stored;
      StoredResponse answered = before.response(Phase.COMMITTING, finished);
      if (!asked.request().store()) {
        services.records().writeUnkept(answered, turn.fence(), asked.claim());
      } else if (asked.announced() || turn.fence().isPresent()) { // the lease must be released
        commit(answered);
      } else {
        return services.records().writeLater(answered);
      }
    }
    return CompletableFuture.completedFuture(null);
  }

  private void commit(StoredResponse answered) {
    if (asked.announced()) {
      stored = services.records().put(answered);
    }
    log.ifPresent(services.logs()::announce); // a reader that finds the response finds its events
    stored = services.records().write(stored == null ? answered : stored, turn.fence());
  }

  private String failed(Throwable failure) {
    Problem problem = Problem.of(failure, asked.requestId());
    if (log.isPresent()) { // otherwise the call reports it
      LOG.warn("{} response {}: {}", asked.requestId(), asked.id(), failure.toString());
    }
    String code =
        failure instanceof ClewException.RateLimited
            ? "rate_limit_exceeded"
            : problem.status() < 500 ? "invalid_prompt" : "server_error";
    String end = ended(done(ResponseJson.failed(begun, code, problem.getMessage())));
    if (ResponseJson.status(end).equals("failed")) {
      events.emit("error", event -> Emitter.error(event, code, problem));
    }
    return end;
  }

  /** An end without an answer, with the calls of MCP servers that were made before. */
  private String done(String end) {
    Output before = output;
    return before == null || asked.hosted().isNothing()
        ? end
        : ResponseJson.output(end, before.json());
  }

  /**
   * Stores how a response ended without an answer. If another call has stored an end already, that
   * one counts.
   */
  private String ended(String end) {
    StoredResponse last = stored;
    if (last == null || last.phase() != Phase.RUNNING) {
      return end; // nobody knows the response, or it is answered
    }
    log.ifPresent(services.logs()::announce);
    try {
      stored = services.records().put(last.response(Phase.DONE, end));
      return end;
    } catch (ClewException.VersionConflict e) {
      return services
          .records()
          .read(asked.owner(), asked.id())
          .map(this::endedElsewhere)
          .orElse(end);
    } catch (ClewException e) {
      LOG.warn("{} response {}: could not store its end", asked.requestId(), asked.id(), e);
      return end;
    }
  }

  /** Whoever cancels a response does not know what it has done. */
  private String endedElsewhere(StoredResponse found) {
    String end = done(found.response());
    if (found.status().equals("cancelled") && !end.equals(found.response())) {
      try {
        stored = services.records().put(found.response(Phase.DONE, end));
      } catch (ClewException.VersionConflict e) { // it was deleted
        return end;
      }
    }
    return end;
  }
}
