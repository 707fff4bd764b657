package dev.clew.server.internal.chat;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.StoredSession;
import dev.clew.agent.Runner;
import dev.clew.json.JsonObject;
import dev.clew.kit.Family;
import dev.clew.server.internal.completions.SaidBefore;
import dev.clew.server.internal.describe.ServerMetadata;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.library.Library;
import dev.clew.server.internal.runs.EventLogs;
import dev.clew.server.internal.runs.OwnersModel;
import dev.clew.server.internal.runs.RunKey;
import dev.clew.server.internal.runs.Stop;
import dev.clew.server.internal.runs.Titles;
import dev.clew.server.internal.runs.TurnEngine;
import dev.clew.server.internal.runs.UsageBook;
import dev.clew.server.internal.wire.ConversationIds;
import dev.clew.server.settings.ServerSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The turns of sessions, and operations that must not overlap them. Thread-safe. The {@link
 * TurnEngine} runs them.
 */
public record SessionTurns(
    TurnEngine engine,
    ServerSettings settings,
    OwnersModel.Models models,
    EventLogs logs,
    UsageBook usage,
    Titles titles,
    Library library) {
  private static final Logger LOG = LoggerFactory.getLogger(SessionTurns.class);

  public TurnMarks marks() {
    return new TurnMarks(settings.store());
  }

  public PendingRuns pending() {
    return new PendingRuns(settings.store());
  }

  public WaitingMessages waiting() {
    return new WaitingMessages(settings.store(), settings.clock());
  }

  /** Takes back a message that waits for its turn, at any server; false if it waits no more. */
  public boolean withdraw(SessionKey key, String turn) {
    boolean waited = waiting().withdraw(key, turn);
    if (waited) {
      tellOfWaiting(key, "withdrawn", turn);
      engine
          .find(key.owner(), turn, ChatTurn.class)
          .ifPresent(here -> here.stop(Stop.Reason.CANCELLED));
    }
    return waited;
  }

  /** Tells the readers of the running turn, if it runs here, about a message that waits. */
  void tellOfWaiting(SessionKey key, String event, String turn) {
    String data = new JsonObject().put("turn_id", turn).toString();
    engine
        .running(ChatTurn.class)
        .filter(running -> running.key().equals(key) && running.isUnderWay())
        .forEach(running -> running.log().add(event, number -> data));
  }

  /** What is remembered of a session, behind what its owner and its project tell all sessions. */
  ServerMetadata remembered(SessionInfo info) {
    ServerMetadata own = ServerMetadata.of(info);
    Library.Defaults project = library.defaults(info);
    String instructions =
        Stream.of(
                library.preferences().instructions(info.key().owner()),
                project.instructions(),
                own.instructions())
            .flatMap(Optional::stream)
            .collect(Collectors.joining("\n\n"));
    return own.model(own.model().or(project::model).orElse("")).instructions(instructions);
  }

  /** The name of the model that answers in a session. */
  String modelOf(ServerMetadata session) {
    return settings.models().choice(session.model().orElse(""));
  }

  Runner runner(String owner, ServerMetadata session) {
    return Runner.with(models.of(owner, session.model().orElse("")));
  }

  /** How much of a session its model is shown. */
  ShownHistory shown(ServerMetadata session) {
    return new ShownHistory(settings.chat(), settings.turns().contextTokens(), modelOf(session));
  }

  public ChatTurn start(SessionKey key, TurnPlan plan, String requestId) {
    ChatTurn turn = new ChatTurn(ConversationIds.random("turn_", 32), key, plan, requestId, this);
    try {
      engine.start(turn);
      return turn;
    } catch (RuntimeException e) {
      logs.drop(turn.log());
      throw e;
    }
  }

  /** Stops the running turn of a session at any server; returns whether there was one. */
  public boolean stop(SessionKey key) {
    Optional<String> current = marks().running(key);
    if (current.isPresent()) {
      Optional<ChatTurn> here = engine.find(key.owner(), current.get(), ChatTurn.class);
      if (here.isPresent()) {
        here.get().stop(Stop.Reason.CANCELLED);
      } else {
        marks().askToStop(key, current.get());
      }
      return true;
    }
    // Those that still wait for the session; others have answered.
    List<ChatTurn> waiting =
        engine
            .running(ChatTurn.class)
            .filter(turn -> turn.key().equals(key) && !turn.result().isDone())
            .toList();
    waiting.forEach(turn -> turn.stop(Stop.Reason.CANCELLED));
    return !waiting.isEmpty();
  }

  public <T> CompletableFuture<T> between(
      SessionKey key, String requestId, Function<StoredSession, T> work) {
    return later(requestId, () -> engine.between(key, work));
  }

  private <T> CompletableFuture<T> later(String requestId, Supplier<T> work) {
    return engine
        .aside(work)
        .handle(
            (done, failure) -> {
              if (failure == null) {
                return done;
              }
              Problem problem = ChatReply.failure(failure, requestId);
              if (problem.status() >= 500) {
                LOG.warn("{} failed", requestId, failure);
              }
              throw problem;
            });
  }

  /**
   * Deletes a session with all branches of its conversation, and stops their turns; returns the
   * sessions that existed.
   */
  public CompletableFuture<List<SessionKey>> delete(SessionKey key, String requestId) {
    return later(
        requestId,
        () -> new Family(settings.store()).toDelete(key).stream().filter(this::delete).toList());
  }

  private boolean delete(SessionKey key) {
    stop(key); // a later write must not bring the session back
    return engine.between(
        key,
        session -> {
          Runnable saidBefore = SaidBefore.of(settings.store(), key);
          forget(key);
          boolean deleted = session.delete();
          forgetLogs(key);
          saidBefore.run();
          return deleted;
        });
  }

  /**
   * Deletes the current sessions that a query finds, with all branches.
   *
   * @param gone called for each session
   * @return the number of conversations
   */
  public CompletableFuture<Long> deleteAll(
      SessionQuery query, String requestId, Consumer<SessionKey> gone) {
    Family family = new Family(settings.store());
    return forAll(
        query,
        requestId,
        info -> {
          for (SessionKey key : family.toDelete(info.key())) {
            if (delete(key)) {
              gone.accept(key);
            }
          }
        });
  }

  /** Does something to each session that a query finds now; returns their number. */
  public CompletableFuture<Long> forAll(
      SessionQuery query, String requestId, Consumer<SessionInfo> work) {
    return later(
        requestId,
        () -> {
          long count = 0;
          Family family = new Family(settings.store());
          Map<String, Boolean> headless = new HashMap<>(); // looked up once for each family
          // Ordered by creation, so that new sessions stay and the loop ends.
          SessionQuery all = query.order(SessionQuery.Order.CREATED).limit(100);
          for (SessionInfo info : all.walk(settings.store()::list)) {
            if (!Family.isOlder(info)) {
              work.accept(info);
              count++;
            } else if (headless.computeIfAbsent(
                Family.name(info).orElse(""), any -> Family.isOlder(family.current(info)))) {
              work.accept(info); // another program has deleted the current one
            }
          }
          return count;
        });
  }

  public void forget(SessionKey key) {
    marks().forget(key);
    pending().drop(key);
    waiting().forget(key);
    forgetLogs(key);
  }

  /**
   * Deletes what the turns of a session said. After a session is deleted or cleared it is called
   * once more, because a turn that ends meanwhile writes its log before it looks at the session.
   */
  void forgetLogs(SessionKey key) {
    logs.deleteAll(key.owner(), runKey(key, "").belongsTo());
  }

  public static RunKey runKey(SessionKey key, String turn) {
    return new RunKey(key.owner(), "session " + key.id(), turn);
  }
}
