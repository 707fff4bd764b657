package dev.clew.server.internal.sessions;

import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.agent.CompactionOptions;
import dev.clew.agent.CompactionReport;
import dev.clew.agent.CompactionSession;
import dev.clew.agent.Interruption;
import dev.clew.agent.RunState;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.chat.Addressed;
import dev.clew.server.internal.chat.ChatApi;
import dev.clew.server.internal.chat.ChatReply;
import dev.clew.server.internal.chat.PendingRuns.Pending;
import dev.clew.server.internal.chat.SessionPreferences;
import dev.clew.server.internal.chat.SessionTurns;
import dev.clew.server.internal.chat.TurnPlan;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.runs.OwnersModel;
import dev.clew.server.internal.runs.UsageBook;
import dev.clew.server.operate.Scope;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/** Operations on turns: regenerate, stop, decide, compact. Thread-safe. */
public record TurnsApi(
    SessionStore store,
    SessionTurns turns,
    ChatApi chat,
    OwnersModel.Models models,
    UsageBook usage,
    boolean strict) {
  private static final String REJECTED = "Tool execution was not approved.";

  public List<Route> routes() {
    String one = Addressed.PATH;
    return List.of(
        Route.get(
            "/api/turns",
            Scope.READ,
            "Lists the sessions in which a turn runs or waits for a decision.",
            this::active),
        Route.post(one + "/regenerate", Scope.WRITE, "Regenerates the last answer.", this::again),
        Route.post(one + "/stop", Scope.WRITE, "Stops the running turn.", this::stop),
        Route.get(
            one + "/queue",
            Scope.READ,
            "Lists the messages that wait for the running turn.",
            this::waiting),
        Route.delete(
            one + "/queue/{turn_id}",
            Scope.WRITE,
            "Withdraws a message that waits.",
            this::withdraw),
        Route.post(one + "/compact", Scope.WRITE, "Summarises the history.", this::compact),
        Route.get(
            one + "/approvals",
            Scope.READ,
            "Lists the calls that wait for a decision.",
            this::open),
        Route.post(one + "/approvals", Scope.WRITE, "Approves or rejects a call.", this::decide));
  }

  private void active(Call call) {
    List<JsonObject> active =
        turns.marks().active(call.owner()).stream()
            .map(
                one ->
                    new JsonObject()
                        .put("session_id", one.session())
                        .put("turn_id", one.turn())
                        .put("state", one.state()))
            .toList();
    call.reply(new JsonObject().putAll("data", active));
  }

  private void again(Call call) {
    Fields body = Fields.of(call, strict, Set.of("stream"));
    boolean streamed = ChatApi.isStreamed(call, body); // a refused call starts no turn
    SessionKey key = Addressed.info(store, call).key();
    chat.answer(call, turns.start(key, TurnPlan.answerAgain(), call.requestId()), streamed);
  }

  private void stop(Call call) {
    SessionKey key = Addressed.info(store, call).key();
    call.reply(new JsonObject().put("session_id", key.id()).put("stopping", turns.stop(key)));
  }

  private void waiting(Call call) {
    SessionKey key = Addressed.info(store, call).key();
    call.needs(turns.waiting().bytes(key));
    List<JsonObject> waiting =
        turns.waiting().list(key).stream()
            .map(
                one ->
                    new JsonObject()
                        .put("turn_id", one.turn())
                        .put("at", one.at())
                        .raw("message", one.message())
                        .put("waits", one.isAlive()))
            .toList();
    call.reply(new JsonObject().putAll("data", waiting));
  }

  private void withdraw(Call call) {
    SessionKey key = Addressed.info(store, call).key();
    String turn = call.path("turn_id");
    call.reply(
        new JsonObject()
            .put("session_id", key.id())
            .put("turn_id", turn)
            .put("withdrawn", turns.withdraw(key, turn)));
  }

  private void compact(Call call) {
    String instructions =
        Fields.of(call, strict, Set.of("instructions"))
            .text("instructions", SessionPreferences.LONGEST)
            .orElse("");
    SessionKey key = Addressed.info(store, call).key();
    call.replyLater(
        turns.between(key, call.requestId(), session -> compact(session, instructions)));
  }

  private String compact(StoredSession session, String instructions) {
    CompactionReport report =
        CompactionSession.builder(
                session, models.of(session.key().owner()).summarising(instructions))
            .inPlace()
            .build()
            .runCompaction(CompactionOptions.FORCE);
    usage.add(session.key().owner(), models.models().choice(""), 0, report.usage());
    return new JsonObject()
        .put("session_id", session.id())
        .put("compacted", report.compacted())
        .put("reason", report.reason())
        .put("items_before", report.itemsBefore())
        .put("items_after", report.itemsAfter())
        .toString();
  }

  private void open(Call call) {
    SessionKey key = Addressed.info(store, call).key();
    call.reply(
        approvals(
            turns
                .pending()
                .get(key)
                .map(Pending::state)
                .map(RunState::interruptions)
                .orElse(List.of())));
  }

  private static JsonObject approvals(List<Interruption> open) {
    return new JsonObject().putAll("data", open.stream().map(ChatReply::approval).toList());
  }

  private void decide(Call call) {
    Fields body =
        Fields.of(call, strict, Set.of("call_id", "approve", "message", "always", "stream"));
    String callId = body.needText("call_id");
    boolean approve = body.flag("approve").orElseThrow(() -> Problem.missing("approve"));
    boolean always = body.flag("always").orElse(false);
    String message = body.text("message").orElse(REJECTED);
    boolean streamed = ChatApi.isStreamed(call, body);
    SessionKey key = Addressed.info(store, call).key();
    if (approve && body.text("message").isPresent()) {
      throw Problem.invalidValue("message", "it is allowed only with a rejection");
    }
    Pending pending =
        turns.pending().decide(key, callId, approve, decision(approve, always, message));
    List<Interruption> left = pending.state().interruptions();
    if (!left.isEmpty()) {
      call.reply(
          new JsonObject()
              .put("session_id", key.id())
              .putAll("approvals", left.stream().map(ChatReply::approval).toList()));
      return;
    }
    TurnPlan plan = TurnPlan.resume(pending.state(), pending.version());
    chat.answer(call, turns.start(key, plan, call.requestId()), streamed);
  }

  private static BiConsumer<RunState, Interruption> decision(
      boolean approve, boolean always, String message) {
    if (approve) {
      return always ? RunState::approveAlways : RunState::approve;
    }
    return always
        ? (state, call) -> state.rejectAlways(call, message)
        : (state, call) -> state.reject(call, message);
  }
}
