package dev.clew.server.internal.chat;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Lease;
import dev.clew.Range;
import dev.clew.Session;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.View;
import dev.clew.Window;
import dev.clew.agent.CompactionSession;
import dev.clew.agent.Interruption;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.RunConfig;
import dev.clew.agent.RunEvent;
import dev.clew.agent.RunInput;
import dev.clew.agent.RunResult;
import dev.clew.agent.RunStream;
import dev.clew.agent.Usage;
import dev.clew.json.JsonObject;
import dev.clew.kit.Family;
import dev.clew.server.internal.describe.ServerMetadata;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.runs.EventLog;
import dev.clew.server.internal.runs.Stop;
import dev.clew.server.internal.runs.Turn;
import dev.clew.server.internal.runs.TurnEngine;
import dev.clew.server.settings.ChatSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One turn of a session: a run of the agent. Thread-safe.
 *
 * <p>Its events, which {@code POST /api/chat} streams: {@code session}, then {@code delta} for each
 * piece of text, {@code item} for each stored item, {@code approval} for each call that needs a
 * decision, and finally {@code done} or {@code error}.
 */
public final class ChatTurn extends Turn {
  private static final Logger LOG = LoggerFactory.getLogger(ChatTurn.class);
  private static final long LOOK_NANOS = 100_000_000;

  private final SessionKey key;
  private final TurnPlan plan;
  private final String requestId;
  private final SessionTurns turns;
  private final StoredSession stored;
  private final EventLog log;

  // Written by the thread of the run, read after it has ended.
  private volatile OptionalLong mark = OptionalLong.empty();
  private final List<Item> added = new ArrayList<>();
  private Session session;
  private @Nullable RunResult answered;
  private @Nullable LastAnswer takenBack;
  private Usage usage = Usage.NONE;
  private @Nullable Lease queued; // as long as its message waits, or is not in the session yet
  private String model = "";
  private boolean said;
  private boolean waits;
  private int step;

  ChatTurn(String id, SessionKey key, TurnPlan plan, String requestId, SessionTurns turns) {
    super(new Name("chat", key.owner(), id, key.id()));
    this.key = key;
    this.plan = plan;
    this.requestId = requestId;
    this.turns = turns;
    this.stored = turns.settings().store().session(key);
    this.session = stored;
    this.log = turns.logs().begin(SessionTurns.runKey(key, id));
  }

  SessionKey key() {
    return key;
  }

  EventLog log() {
    return log;
  }

  @Override
  protected boolean isToStop() {
    return mark.isPresent() && turns.marks().shallStop(key, id());
  }

  @Override
  protected void answer() {
    tell("session", new JsonObject().put("session_id", key.id()).put("turn_id", id()));
    ServerMetadata remembered = stored.info().map(turns::remembered).orElse(ServerMetadata.NOTHING);
    model = turns.modelOf(remembered);
    ShownHistory shown = turns.shown(remembered);
    session = shown.shortened(stored, turns.models().of(key.owner())::summarising);
    RunConfig config =
        RunConfig.DEFAULT
            .session(session)
            .modelInputFilter(request -> withPreferences(request, remembered))
            .window(shown.window(plan.kind() == TurnPlan.Kind.ANSWER))
            .whenTurnBegins(this::begin)
            .notes(Map.of("model", model))
            .turnWait(turns.settings().turns().lockWait())
            .leaseLife(turns.settings().turns().leaseLife())
            .listener(this::heard);
    if (plan.operationId().isPresent()) {
      config = config.operationId(plan.operationId().get());
    }
    while (answered == null) {
      if (plan.kind() == TurnPlan.Kind.ANSWER) {
        waitForOthers();
      }
      try {
        RunStream running =
            turns
                .runner(key.owner(), remembered)
                .runStreamed(turns.settings().chat().agent(), plan.input(), config);
        stop().onStop(running::cancel);
        answered = running.result();
      } catch (ClewException.SessionBusy e) {
        if (!plan.waits() || mark.isPresent()) {
          throw e;
        }
      }
    }
  }

  /** Waits until no other turn runs and no earlier message waits. */
  private void waitForOthers() {
    WaitingMessages waiting = turns.waiting();
    if (queued == null) {
      if (!isBusy() && waiting.isEmpty(key)) {
        return;
      }
      if (!plan.waits()) {
        throw new ClewException.SessionBusy("another turn of " + key + " is running");
      }
      Item message = ((RunInput.Items) plan.input()).items().get(0);
      queued = waiting.add(key, id(), message, turns.settings().turns().leaseLife());
      tell("queued", new JsonObject().put("turn_id", id()));
      turns.tellOfWaiting(key, "queued", id());
    }
    try {
      while (isBusy() || !waiting.isNext(key, id())) {
        if (!waiting.contains(key, id())) {
          throw withdrawn();
        }
        stop()
            .guard(
                () -> {
                  LockSupport.parkNanos(LOOK_NANOS);
                  return true;
                });
      }
    } catch (Stop.Stopped e) {
      if (e.reason() == Stop.Reason.SERVER_STOPS) {
        throw Problem.unavailable(
            "server_stopping", "The server is stopping; the message waits to be sent again.");
      }
      waiting.remove(key, id());
      throw new CancellationException("the turn was stopped");
    }
  }

  private static CancellationException withdrawn() {
    return new CancellationException("the message was withdrawn");
  }

  /** Its message is in the session, or its caller is told that it is not. */
  private void leaveQueue() {
    Lease place = queued;
    if (place == null) {
      return;
    }
    queued = null;
    try {
      if (mark.isPresent()) {
        turns.waiting().remove(key, id());
      }
      place.close();
    } catch (ClewException e) {
      LOG.warn("{} could not take the message of turn {} off the queue", requestId, id(), e);
    }
  }

  private boolean isBusy() {
    return TurnEngine.holder(turns.settings().store(), key).isPresent();
  }

  /** Whether it has its session for itself. */
  boolean isUnderWay() {
    return mark.isPresent();
  }

  /** With the settings of the session, and its instructions behind the agent's. */
  private static ModelRequest withPreferences(ModelRequest asked, ServerMetadata remembered) {
    ModelRequest request =
        asked.settings(asked.settings().and(SessionPreferences.asked(remembered.settings())));
    String own = remembered.instructions().orElse("");
    if (own.isEmpty()) {
      return request;
    }
    String agents = request.instructions();
    return request.instructions(agents.isBlank() ? own : agents + "\n\n" + own);
  }

  private void begin() {
    if (queued != null && !turns.waiting().take(key, id())) {
      throw withdrawn();
    }
    mark = OptionalLong.of(turns.marks().begin(key, id()));
    new Family(turns.settings().store()).makeCurrent(key);
    if (plan.kind() != TurnPlan.Kind.ANSWER) {
      stored.update(SessionUpdate.none()); // a change, by which readers notice the turn
    }
    if (plan.resumes()) {
      return;
    }
    if (plan.kind() == TurnPlan.Kind.ANSWER_AGAIN) {
      takenBack = LastAnswer.takeFrom(stored);
    } else {
      refuseWhenFull();
      endWaiting();
    }
    turns.pending().drop(key);
  }

  /** Something else is said while calls wait: their outputs tell what was decided about them. */
  private void endWaiting() {
    turns
        .pending()
        .get(key)
        .map(PendingRuns.Pending::state)
        .filter(state -> !state.interruptions().isEmpty()) // else they may have been done
        .map(state -> state.endedOutputs("Not done: another message came first."))
        .ifPresent(
            outputs -> {
              var unused = stored.commit(Commit.appendDrafts(outputs));
            });
  }

  private void refuseWhenFull() {
    long most = turns.settings().chat().maxMessages();
    if (most > 0
        && turns.settings().chat().atLimit() == ChatSettings.AtLimit.REFUSE
        && stored.info().map(SessionInfo::itemCount).orElse(0L) >= most) {
      throw Problem.invalid(
          "message_limit_reached",
          "session_id",
          "The session holds "
              + most
              + " messages, which is the limit; start another one, or clear this one.");
    }
  }

  private void heard(RunEvent event) {
    if (event instanceof RunEvent.TextDelta delta) {
      tell("delta", new JsonObject().put("step", step).put("text", delta.text()));
    } else if (event instanceof RunEvent.ReasoningDelta delta) {
      tell("delta", new JsonObject().put("step", step).put("reasoning", delta.text()));
    } else if (event instanceof RunEvent.StepStored stored) {
      for (Draft draft : stored.drafts()) {
        Item item = draft.item();
        if (Window.startsTurn(item)) { // the caller knows its own message
          said = true;
          leaveQueue();
        } else {
          added.add(item);
          JsonObject data = new JsonObject().put("step", step).raw("item", item.json());
          tell("item", draft.notes().isEmpty() ? data : data.put("notes", draft.notes()));
        }
      }
      step++;
    } else if (event instanceof RunEvent.Interrupted interrupted) {
      // Stored before the caller hears of it, because the decision may come at once.
      turns.pending().keep(key, interrupted.state());
      waits = true;
      interrupted
          .state()
          .interruptions()
          .forEach(call -> tell("approval", ChatReply.approval(call)));
    } else if (event instanceof RunEvent.ModelAnswered answered) {
      usage = usage.plus(answered.usage());
    }
  }

  @Override
  protected Ending end(@Nullable Throwable failure) {
    Ending ending;
    RunResult result = answered;
    if (failure instanceof CancellationException) {
      String text = ChatReply.lastText(added);
      ending = new Ending(ChatReply.of(key.id(), text, added, List.of(), true), null);
    } else if (failure != null) {
      ending = failed(failure);
    } else {
      ending = ended(Objects.requireNonNull(result));
    }
    leave();
    return ending;
  }

  private Ending ended(RunResult result) {
    List<Interruption> approvals = result.interruptions();
    if (approvals.isEmpty() && plan.resumes()) {
      turns.pending().settled(key, plan.version());
    }
    if (!said && !plan.resumes()) { // its message was there already
      note(() -> FailedNote.remove(stored));
    }
    String message =
        approvals.isEmpty() ? result.finalOutput() : ChatReply.lastText(result.newItems());
    String json = ChatReply.of(key.id(), message, result.newItems(), approvals, false);
    return new Ending(json, null);
  }

  private Ending failed(Throwable failure) {
    Problem problem =
        plan.resumes() && failure instanceof IllegalArgumentException
            ? cannotGoOn(failure)
            : ChatReply.failure(failure, requestId);
    if (problem.status() >= 500 || failure instanceof ClewException.RateLimited) {
      LOG.warn("{} turn {} failed: {}", requestId, id(), failure.toString());
    }
    try {
      if (takenBack != null) {
        takenBack.putBack(stored, added);
      }
    } catch (ClewException e) {
      LOG.warn("{} could not restore the answer before turn {}", requestId, id(), e);
    }
    if (said || (takenBack != null && takenBack.entries().isEmpty())) {
      note(() -> FailedNote.set(stored, problem.code()));
    }
    return new Ending(ChatReply.json(problem, requestId), problem);
  }

  private void note(Runnable change) {
    try {
      change.run();
    } catch (ClewException e) {
      LOG.warn("{} could not note how turn {} ended: {}", requestId, id(), e.toString());
    }
  }

  @Override
  protected void publish(Ending ending) {
    log.add(ending.failure() == null ? "done" : "error", number -> ending.json());
    turns.logs().end(log);
    try {
      if (mark.isPresent() && isGone()) {
        turns.logs().deleteAll(key.owner(), SessionTurns.runKey(key, id()).belongsTo());
      }
    } catch (ClewException e) {
      LOG.warn("{} could not delete the events of turn {}", requestId, id(), e);
    }
  }

  /** Whether the session was deleted or cleared before the log was written. */
  private boolean isGone() {
    Optional<SessionInfo> info = stored.info();
    return info.isEmpty() || (step > 0 && info.get().itemCount() == 0);
  }

  /** The run began at a server with another agent. */
  private static Problem cannotGoOn(Throwable reason) {
    return Problem.refused(
        409, "cannot_go_on", null, "The run cannot continue here: " + reason.getMessage() + ".");
  }

  private void leave() {
    leaveQueue();
    if (mark.isEmpty()) {
      return;
    }
    if (session instanceof CompactionSession compacted) {
      usage = usage.plus(compacted.usage());
    }
    turns.titles().said(key);
    turns.usage().add(key.owner(), model, plan.resumes() ? 0 : 1, usage);
    try {
      turns.marks().end(key, id(), mark.getAsLong(), waits);
    } catch (ClewException e) {
      LOG.warn("{} could not mark the end of turn {}", requestId, id(), e);
    }
  }

  private void tell(String name, JsonObject data) {
    String text = data.toString();
    log.add(name, number -> text);
  }

  /** The answer to the last message of a session, removed to make room for another. Immutable. */
  private record LastAnswer(long messageAt, List<Entry> entries) {
    private static final int PAGE = 64;

    /** Removes the answer. The caller must have locked the session. */
    static LastAnswer takeFrom(StoredSession session) {
      Deque<Entry> answer = new ArrayDeque<>();
      for (Entry entry : Range.latest(PAGE).walk(session::entries)) {
        if (Window.startsTurn(entry.item())) {
          if (!answer.isEmpty()) {
            List<Item> items = answer.stream().map(Entry::item).toList();
            session.commit(Commit.replaceSuffix(items, List.of()));
          }
          return new LastAnswer(entry.position(), List.copyOf(answer));
        }
        answer.addFirst(entry);
      }
      throw Problem.invalid(
          "nothing_to_answer", null, "The session has no message to answer again.");
    }

    /** Restores the answer unless more than the beginning of another has taken its place. */
    void putBack(StoredSession session, List<Item> added) {
      if (entries.isEmpty()) {
        return;
      }
      List<Draft> drafts = entries.stream().map(Draft::of).toList();
      try {
        if (added.size() == 1 && added.get(0).view() instanceof View.Message) {
          session.commit(Commit.replaceSuffix(added, List.of()));
        }
        session.commit(Commit.appendDrafts(drafts).expectTail(messageAt));
      } catch (ClewException.VersionConflict e) {
        // Part of the new answer was stored, or something else was said.
      }
    }
  }
}
