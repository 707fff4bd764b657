package dev.clew.server.internal.chat;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.StoredSession;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.runs.EventLogs;
import dev.clew.server.internal.runs.OwnersModel;
import dev.clew.server.internal.runs.RunKey;
import dev.clew.server.internal.runs.Stop;
import dev.clew.server.internal.runs.Titles;
import dev.clew.server.internal.runs.TurnEngine;
import dev.clew.server.internal.runs.UsageBook;
import dev.clew.server.internal.wire.ConversationIds;
import dev.clew.server.settings.ServerSettings;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The turns of sessions, and what may only be done between them. Thread-safe. Turns run in the
 * {@link TurnEngine} of the server.
 */
public final class SessionTurns {
  private static final Logger LOG = LoggerFactory.getLogger(SessionTurns.class);

  private final TurnEngine engine;
  private final TurnServices services;

  /**
   * Over the store of the settings.
   *
   * @param models what answers, to whom
   */
  public SessionTurns(
      TurnEngine engine,
      ServerSettings settings,
      OwnersModel.Models models,
      EventLogs logs,
      UsageBook usage,
      Titles titles) {
    this.engine = engine;
    this.services =
        new TurnServices(
            settings.store(),
            models,
            settings.chat(),
            settings.turns(),
            logs,
            usage,
            titles,
            new TurnMarks(settings.store()),
            new PendingRuns(settings.store()));
  }

  /** Begins a turn; it waits for others of the same session. */
  public ChatTurn start(SessionKey key, TurnPlan plan, String requestId) {
    ChatTurn turn =
        new ChatTurn(ConversationIds.random("turn_", 32), key, plan, requestId, services);
    try {
      engine.start(turn);
      return turn;
    } catch (RuntimeException e) {
      services.logs().drop(turn.log());
      throw e;
    }
  }

  /** The marks of turns that are under way, here and elsewhere. */
  public TurnMarks marks() {
    return services.marks();
  }

  /** The runs that wait for a decision. */
  public PendingRuns pending() {
    return services.pending();
  }

  /** Who gives titles to sessions. */
  Titles titles() {
    return services.titles();
  }

  /** Stops the turn of a session that is under way at any server; whether there is one. */
  public boolean stop(SessionKey key) {
    Optional<String> current = services.marks().running(key);
    if (current.isPresent()) {
      Optional<ChatTurn> here = engine.find(key.owner(), current.get(), ChatTurn.class);
      if (here.isPresent()) {
        here.get().stop(Stop.Reason.CANCELLED);
      } else {
        services.marks().askToStop(key, current.get());
      }
      return true;
    }
    // Those still on their way to the session; others are answered and about to be gone.
    List<ChatTurn> waiting =
        engine
            .running(ChatTurn.class)
            .filter(turn -> turn.key().equals(key) && !turn.result().isDone())
            .toList();
    waiting.forEach(turn -> turn.stop(Stop.Reason.CANCELLED));
    return !waiting.isEmpty();
  }

  /** Does something with a session while no turn is under way in it. */
  public <T> CompletableFuture<T> between(
      SessionKey key, String requestId, Function<StoredSession, T> work) {
    return later(requestId, () -> engine.between(key, work));
  }

  private <T> CompletableFuture<T> later(String requestId, Supplier<T> work) {
    return engine
        .aside(work)
        .handle(
            (done, failure) -> {
              if (failure != null) {
                throw log(ChatFailures.of(failure, requestId), failure, requestId);
              }
              return done;
            });
  }

  /** Deletes a session and stops the turn that is under way in it; whether there was one. */
  public CompletableFuture<Boolean> delete(SessionKey key, String requestId) {
    return later(requestId, () -> delete(key));
  }

  private boolean delete(SessionKey key) {
    stop(key); // what it would still write must not bring the session back
    return engine.between(
        key,
        session -> {
          forget(key);
          return session.delete();
        });
  }

  /** Deletes the sessions that an owner has at this moment; how many there were. */
  public CompletableFuture<Long> deleteAll(String owner, String requestId) {
    return later(
        requestId,
        () -> {
          long count = 0;
          // By the time they were made, so that those made meanwhile stay and it comes to an end.
          SessionQuery query = SessionQuery.of(owner).order(SessionQuery.Order.CREATED).limit(100);
          Optional<String> next = Optional.empty();
          do {
            SessionPage page = services.store().list(next.map(query::cursor).orElse(query));
            for (SessionInfo info : page.sessions()) {
              count += delete(info.key()) ? 1 : 0;
            }
            next = page.next();
          } while (next.isPresent());
          return count;
        });
  }

  private static Problem log(Problem problem, Throwable failure, String requestId) {
    if (problem.status() >= 500) {
      LOG.warn("{} failed", requestId, failure);
    }
    return problem;
  }

  /** Removes what is kept about the turns of a session that is deleted or cleared. */
  public void forget(SessionKey key) {
    services.marks().forget(key);
    services.pending().drop(key);
    services.logs().deleteAll(key.owner(), runKey(key, "").belongsTo());
  }

  /** The name of a turn's log. */
  public static RunKey runKey(SessionKey key, String turn) {
    return new RunKey(key.owner(), "session " + key.id(), turn);
  }
}
