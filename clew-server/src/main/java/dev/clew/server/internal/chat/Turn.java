package dev.clew.server.internal.chat;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.Session;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.StoredSession;
import dev.clew.Window;
import dev.clew.agent.CompactionSession;
import dev.clew.agent.Interruption;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.RunConfig;
import dev.clew.agent.RunEvent;
import dev.clew.agent.RunResult;
import dev.clew.agent.RunStream;
import dev.clew.agent.Usage;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.describe.Remembered;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.runs.EventLog;
import dev.clew.server.settings.ChatSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One turn of a session: a run of the agent, what is told about it while it goes on, and what is
 * left behind. Thread-safe.
 *
 * <p>Its events, which {@code POST /api/chat} streams: {@code session} first, then {@code delta}
 * for each piece of text, {@code item} for what is stored, {@code approval} for each call that
 * waits for a person, and at last {@code done} or {@code error}.
 */
public final class Turn {
  private static final Logger LOG = LoggerFactory.getLogger(Turn.class);

  private final String id;
  private final SessionKey key;
  private final TurnPlan plan;
  private final String requestId;
  private final Surroundings around;
  private final StoredSession stored;
  private final Session session;
  private final EventLog log;
  private final CompletableFuture<String> reply = new CompletableFuture<>();
  private @Nullable RunStream stream;
  private volatile boolean stopped;

  // Written by the thread of the run, read when that is over.
  private volatile OptionalLong mark = OptionalLong.empty();
  private final List<Item> added = new ArrayList<>();
  private @Nullable LastAnswer takenBack;
  private Usage usage = Usage.NONE;
  private int step;

  Turn(String id, SessionKey key, TurnPlan plan, String requestId, Surroundings around) {
    this.id = id;
    this.key = key;
    this.plan = plan;
    this.requestId = requestId;
    this.around = around;
    this.stored = around.store().session(key);
    this.session = around.limited(stored);
    this.log = around.logs().begin(Turns.runKey(key, id));
  }

  /** Its id. */
  public String id() {
    return id;
  }

  SessionKey key() {
    return key;
  }

  /** What it has told so far and will tell. */
  EventLog log() {
    return log;
  }

  /** The reply, when it is there. */
  CompletableFuture<String> reply() {
    return reply;
  }

  /** Whether it has the session for itself, after having waited for others. */
  boolean hasBegun() {
    return mark.isPresent();
  }

  /** Ends the turn soon; the text so far is kept. */
  void stop() {
    RunStream running;
    synchronized (this) {
      stopped = true;
      running = stream;
    }
    if (running != null) {
      running.cancel();
    }
  }

  /** Does it, and waits for its end. */
  void run() {
    tell("session", new JsonObject().put("session_id", key.id()).put("turn_id", id));
    try {
      RunResult result = answer();
      List<Interruption> approvals = result.interruptions();
      if (approvals.isEmpty() && plan instanceof TurnPlan.GoOn goOn) {
        around.pending().settled(key, goOn.version());
      }
      String message =
          approvals.isEmpty() ? result.finalOutput() : ChatReply.lastText(result.newItems());
      done(ChatReply.of(key.id(), message, result.newItems(), approvals, false));
    } catch (CancellationException e) {
      done(ChatReply.of(key.id(), ChatReply.lastText(added), added, List.of(), true));
    } catch (Throwable e) { // an error too: somebody waits for the end
      failed(e);
    }
  }

  private RunResult answer() {
    Remembered remembered = stored.info().map(Remembered::of).orElse(Remembered.NOTHING);
    RunConfig config =
        RunConfig.DEFAULT
            .session(session)
            .modelInputFilter(request -> told(request, remembered))
            .window(this::shown)
            .turnWait(around.turns().lockWait())
            .listener(this::heard);
    if (plan instanceof TurnPlan.Say say && say.operationId().isPresent()) {
      config = config.operationId(say.operationId().get());
    }
    RunStream running =
        around
            .runner(key.owner(), remembered)
            .runStreamed(around.chat().agent(), plan.input(), config);
    boolean cancel;
    synchronized (this) {
      stream = running;
      cancel = stopped;
    }
    if (cancel) {
      running.cancel();
    }
    return running.result();
  }

  /** What the model is told: what the agent says, and behind it what the session says. */
  private static ModelRequest told(ModelRequest request, Remembered remembered) {
    String own = remembered.instructions().orElse("");
    if (own.isEmpty()) {
      return request;
    }
    String agents = request.instructions();
    return request.instructions(agents.isBlank() ? own : agents + "\n\n" + own);
  }

  /* The history is read when the turn has the session for itself and has written nothing yet, so
   * this is where everything happens that has to happen in between. */
  private List<Item> shown(Session history) {
    if (begin()) {
      if (plan instanceof TurnPlan.Again) {
        takenBack = LastAnswer.takeFrom(stored);
      } else {
        refuseWhenFull();
      }
      around.pending().drop(key);
    }
    return Window.lastMessages(around.chat().history()).read(history);
  }

  /** Marks the turn as the one that is under way; whether it was not yet. */
  private boolean begin() {
    if (mark.isPresent()) {
      return false;
    }
    mark = OptionalLong.of(around.marks().begin(key, id));
    return true;
  }

  private void refuseWhenFull() {
    long most = around.chat().maxMessages();
    if (most > 0
        && around.chat().atLimit() == ChatSettings.AtLimit.REFUSE
        && stored.info().map(SessionInfo::itemCount).orElse(0L) >= most) {
      throw Problem.invalid(
          "message_limit_reached",
          "session_id",
          "The session holds "
              + most
              + " messages, which is the limit; begin another one, or clear this one.");
    }
  }

  private void heard(RunEvent event) {
    begin();
    if (event instanceof RunEvent.TextDelta delta) {
      tell("delta", new JsonObject().put("step", step).put("text", delta.text()));
    } else if (event instanceof RunEvent.ReasoningDelta delta) {
      tell("delta", new JsonObject().put("step", step).put("reasoning", delta.text()));
    } else if (event instanceof RunEvent.StepStored stored) {
      for (Item item : stored.items()) {
        if (!Window.startsTurn(item)) { // the caller knows what it has said
          added.add(item);
          tell("item", new JsonObject().put("step", step).raw("item", item.json()));
        }
      }
      step++;
    } else if (event instanceof RunEvent.ApprovalNeeded needed) {
      tell("approval", ChatReply.approval(needed.interruption()));
    } else if (event instanceof RunEvent.Interrupted interrupted) {
      around.pending().keep(key, interrupted.state()); // before the next turn can begin
    } else if (event instanceof RunEvent.ModelAnswered answered) {
      usage = usage.plus(answered.usage());
    }
  }

  private void done(String text) {
    leave();
    log.add("done", number -> text);
    endLog();
    reply.complete(text);
  }

  private void failed(Throwable failure) {
    Problem problem =
        plan instanceof TurnPlan.GoOn && failure instanceof IllegalArgumentException
            ? cannotGoOn(failure)
            : ChatFailures.of(failure, requestId);
    if (problem.status() >= 500) {
      LOG.warn("{} turn {} failed: {}", requestId, id, failure.toString());
    }
    try {
      if (takenBack != null) {
        takenBack.putBack(stored);
      }
    } catch (ClewException e) {
      LOG.warn("{} the answer before turn {} could not be put back", requestId, id, e);
    }
    leave();
    log.add("error", number -> ChatFailures.json(problem, requestId));
    endLog();
    reply.completeExceptionally(problem);
  }

  /** The run was begun by a server with another agent. */
  private static Problem cannotGoOn(Throwable reason) {
    return Problem.refused(
        409, "cannot_go_on", null, "The run cannot go on here: " + reason.getMessage() + ".");
  }

  private void leave() {
    if (mark.isEmpty()) {
      return;
    }
    if (session instanceof CompactionSession compacted) {
      usage = usage.plus(compacted.usage());
    }
    around.titles().said(key);
    around.usage().add(key.owner(), plan instanceof TurnPlan.GoOn ? 0 : 1, usage);
    try {
      around.marks().end(key, id, mark.getAsLong());
    } catch (ClewException e) {
      LOG.warn("{} the end of turn {} could not be marked", requestId, id, e);
    }
  }

  private void endLog() {
    around.logs().end(log);
    try {
      if (stopped && stored.info().isEmpty()) { // because the session was deleted
        around.logs().deleteAll(key.owner(), Turns.runKey(key, id).belongsTo());
      }
    } catch (ClewException e) {
      LOG.warn("{} the events of turn {} could not be deleted", requestId, id, e);
    }
  }

  private void tell(String name, JsonObject data) {
    String text = data.toString();
    log.add(name, number -> text);
  }
}
