package dev.clew.server.internal.chat;

import dev.clew.ClewException;
import dev.clew.Lease;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.StoredSession;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.runs.EventLogs;
import dev.clew.server.internal.runs.OwnersModel;
import dev.clew.server.internal.runs.RunKey;
import dev.clew.server.internal.runs.Titles;
import dev.clew.server.internal.runs.UsageBook;
import dev.clew.server.internal.telemetry.Telemetry;
import dev.clew.server.internal.wire.ConversationIds;
import dev.clew.server.settings.ServerSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The turns of sessions that this server takes. Thread-safe. */
public final class Turns implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Turns.class);
  private static final String LEASE = "turn"; // the one that a Runner holds
  private static final long LOOK_MS = 500;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Surroundings around;
  private final Map<String, Turn> running = new ConcurrentHashMap<>();
  private final ExecutorService workers = Executors.newCachedThreadPool(named("clew-turn"));
  private final ScheduledExecutorService looks =
      Executors.newSingleThreadScheduledExecutor(named("clew-turn-stops"));
  private volatile boolean closing;

  /**
   * Over the store of the settings.
   *
   * @param models what answers, to whom
   */
  public Turns(
      ServerSettings settings,
      OwnersModel.Models models,
      EventLogs logs,
      UsageBook usage,
      Titles titles,
      Telemetry telemetry) {
    this.around =
        new Surroundings(
            settings.store(),
            models,
            settings.chat(),
            settings.turns(),
            logs,
            usage,
            titles,
            new TurnMarks(settings.store()),
            new PendingRuns(settings.store()),
            telemetry);
    var unused =
        looks.scheduleWithFixedDelay(this::lookForStops, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
  }

  private static ThreadFactory named(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Begins a turn; it waits for others of the same session. */
  public Turn start(SessionKey key, TurnPlan plan, String requestId) {
    refuseWhenClosing();
    Turn turn = new Turn(ConversationIds.random("turn_", 32), key, plan, requestId, around);
    Runnable work =
        () -> {
          try {
            turn.run();
          } finally {
            running.remove(turn.id());
          }
        };
    running.put(turn.id(), turn);
    try {
      workers.execute(around.telemetry().turn("chat", key.id(), work, turn.reply()));
    } catch (RejectedExecutionException e) {
      running.remove(turn.id());
      around.logs().end(turn.log());
      throw stopping();
    }
    return turn;
  }

  private void refuseWhenClosing() {
    if (closing) {
      throw stopping();
    }
  }

  private static Problem stopping() {
    return Problem.unavailable("server_stopping", "The server is stopping; try again.");
  }

  /** The marks of turns that are under way, here and elsewhere. */
  public TurnMarks marks() {
    return around.marks();
  }

  /** The runs that wait for a decision. */
  public PendingRuns pending() {
    return around.pending();
  }

  /** Who gives titles to sessions. */
  Titles titles() {
    return around.titles();
  }

  /** Stops the turn of a session that is under way at any server; whether there is one. */
  public boolean stop(SessionKey key) {
    Optional<String> current = around.marks().running(key);
    if (current.isPresent()) {
      Turn here = running.get(current.get());
      if (here != null) {
        here.stop();
      } else {
        around.marks().askToStop(key, current.get());
      }
      return true;
    }
    boolean any = false;
    for (Turn turn : running.values()) {
      // Still on its way to the session, or answered and about to be gone.
      if (turn.key().equals(key) && !turn.reply().isDone()) {
        turn.stop();
        any = true;
      }
    }
    return any;
  }

  private void lookForStops() {
    for (Turn turn : running.values()) {
      try {
        if (turn.hasBegun() && around.marks().shallStop(turn.key(), turn.id())) {
          turn.stop();
        }
      } catch (RuntimeException e) {
        LOG.warn("could not look whether turn {} shall stop: {}", turn.id(), e.toString());
      }
    }
  }

  /** Does something with a session while no turn is under way in it. */
  public <T> CompletableFuture<T> between(
      SessionKey key, String requestId, Function<StoredSession, T> work) {
    return later(requestId, () -> alone(key, work));
  }

  @SuppressWarnings("try") // the lease is held, not used
  private <T> T alone(SessionKey key, Function<StoredSession, T> work) {
    StoredSession session = around.store().session(key);
    try (Lease held = session.lease(LEASE, around.turns().leaseLife(), around.turns().lockWait())) {
      return work.apply(session);
    }
  }

  private <T> CompletableFuture<T> later(String requestId, Supplier<T> work) {
    refuseWhenClosing();
    return CompletableFuture.supplyAsync(work, workers)
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
    return alone(
        key,
        session -> {
          boolean was = around.store().session(key).delete();
          forget(key);
          return was;
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
            SessionPage page = around.store().list(next.map(query::cursor).orElse(query));
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

  /** Forgets what is kept about the turns of a session that is gone. */
  public void forget(SessionKey key) {
    around.marks().forget(key);
    around.pending().drop(key);
    around.logs().deleteAll(key.owner(), runKey(key, "").belongsTo());
  }

  /** The name of a turn's log. */
  public static RunKey runKey(SessionKey key, String turn) {
    return new RunKey(key.owner(), "session " + key.id(), turn);
  }

  /** Takes no more turns, lets those under way finish for a while, and stops the rest. */
  @Override
  public void close() {
    closing = true;
    if (!ended(PATIENCE)) {
      running.values().forEach(Turn::stop);
      if (!ended(PATIENCE)) {
        LOG.warn("{} turns did not stop", running.size());
      }
    }
    looks.shutdownNow();
    workers.shutdown();
  }

  private boolean ended(Duration patience) {
    CompletableFuture<?>[] all =
        running.values().stream().map(Turn::reply).toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(all)
          .handle((nothing, failure) -> true)
          .get(patience.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (java.util.concurrent.ExecutionException e) {
      throw new ClewException.Closed("the turns could not be waited for");
    }
  }
}
