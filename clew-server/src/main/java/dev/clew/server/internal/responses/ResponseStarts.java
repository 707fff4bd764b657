package dev.clew.server.internal.responses;

import dev.clew.Item;
import dev.clew.agent.Model;
import dev.clew.agent.ModelRequest;
import dev.clew.server.internal.hosted.Hosted;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.responses.IdempotencyKeys.Claim;
import dev.clew.server.internal.responses.TurnPreparer.PreparedTurn;
import dev.clew.server.internal.runs.EventLog;
import dev.clew.server.internal.runs.EventLogs;
import dev.clew.server.internal.runs.RunKey;
import dev.clew.server.internal.runs.TurnEngine;
import dev.clew.server.settings.ServerSettings;
import java.util.List;
import java.util.Optional;

/** Starts the turns of responses, whatever asks for them. Thread-safe. */
record ResponseStarts(
    ServerSettings settings, TurnEngine engine, ResponseServices services, TurnPreparer turns) {

  /**
   * Starts a turn for a request that answers over HTTP.
   *
   * @param id of the response
   */
  ResponseTurn start(
      String owner, String requestId, String id, CreateRequest request, Optional<Claim> claim) {
    return start(owner, requestId, id, request, claim, Reader.HTTP);
  }

  ResponseTurn start(
      String owner,
      String requestId,
      String id,
      CreateRequest request,
      Optional<Claim> claim,
      Reader reader) {
    boolean announced =
        request.store() && (request.stream() || request.background() || claim.isPresent());
    PreparedTurn turn = turns.open(owner, id, request, announced, reader);
    Hosted hosted = Hosted.NOTHING;
    try {
      checkModel(request.model());
      Model model = settings.models().named(request.model());
      GivenTools.checkRunnable(request.fields(), model);
      Namespaces namespaces = Namespaces.of(request.fields(), model);
      hosted =
          services
              .hosted()
              .open(owner, requestId, request.fields(), turn.history(), turn.input(), model);
      List<Item> context = hosted.withoutApproved(turn.context());
      boolean compact = services.context().isDue(owner, request, turn);
      Optional<ModelRequest> toModel = Optional.empty();
      if (compact) {
        ModelContext.checkPairs(context);
      } else {
        toModel = Optional.of(services.context().request(owner, request, context, namespaces));
      }
      ResponseTurn.Asked asked =
          new ResponseTurn.Asked(
              owner,
              id,
              requestId,
              request,
              announced,
              claim,
              compact,
              toModel,
              namespaces,
              reader,
              hosted);
      return start(asked, turn);
    } catch (RuntimeException | Error e) {
      hosted.close();
      turn.close();
      throw e;
    }
  }

  private ResponseTurn start(ResponseTurn.Asked asked, PreparedTurn turn) {
    Optional<EventLog> log = log(asked.owner(), asked.id(), asked.request());
    try {
      ResponseTurn started = new ResponseTurn(services, asked, turn, log);
      engine.start(started);
      return started;
    } catch (RuntimeException | Error e) {
      log.ifPresent(services.logs()::drop);
      throw e;
    }
  }

  private Optional<EventLog> log(String owner, String id, CreateRequest request) {
    if (!request.stream() && !request.background()) {
      return Optional.empty();
    }
    EventLogs logs = services.logs();
    RunKey key = RunKey.alone(owner, id);
    return Optional.of(request.store() ? logs.begin(key) : logs.beginUnkept(key));
  }

  private void checkModel(String name) {
    if (settings.strict() && settings.models().find(name).isEmpty()) {
      throw Problem.invalid(
          "model_not_found", "model", "The requested model '" + name + "' does not exist.");
    }
  }
}
