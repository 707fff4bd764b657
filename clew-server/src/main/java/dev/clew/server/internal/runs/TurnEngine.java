package dev.clew.server.internal.runs;

import dev.clew.Lease;
import dev.clew.Leases;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.kit.Daemons;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.telemetry.Telemetry;
import dev.clew.server.settings.TurnSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the turns of all APIs of a server: one registry, one limit, one way to stop them, one wait
 * at close. Thread-safe.
 */
public final class TurnEngine {
  private static final Logger LOG = LoggerFactory.getLogger(TurnEngine.class);

  /** The name of the lease that a turn holds; runs of agents take it themselves. */
  private static final String LEASE = "turn";

  static final int MOST = 500;

  /** So that nobody takes the places of others with messages that wait or models that think. */
  static final int MOST_OF_OWNER = MOST / 2;

  private static final long LOOK_MS = 500;
  private static final Duration LAST_MOMENT = Duration.ofSeconds(5);

  private final SessionStore store;
  private final TurnSettings settings;
  private final Telemetry telemetry;
  private final Map<String, Turn> running = new ConcurrentHashMap<>();
  private final Semaphore places = new Semaphore(MOST);
  private final Map<String, Integer> ofOwners = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newCachedThreadPool(Daemons.named("clew-turn"));
  private final ScheduledExecutorService looks =
      Executors.newSingleThreadScheduledExecutor(Daemons.named("clew-turn-stops"));
  private volatile boolean closing;

  public TurnEngine(SessionStore store, TurnSettings settings, Telemetry telemetry) {
    this.store = store;
    this.settings = settings;
    this.telemetry = telemetry;
    var unused =
        looks.scheduleWithFixedDelay(this::lookForStops, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
  }

  private static String key(String owner, String id) {
    return owner + '\n' + id;
  }

  /**
   * Starts a turn on its own thread.
   *
   * @throws Problem if too many run, or the server is stopping
   */
  public void start(Turn turn) {
    refuseWhenClosing();
    Turn.Name name = turn.name();
    enter(name.owner());
    String key = key(name.owner(), name.id());
    Runnable ended =
        () -> {
          running.remove(key);
          leave(name.owner());
        };
    try {
      turn.announce();
      running.put(key, turn);
      threads.execute(
          telemetry.turn(name.api(), name.conversation(), () -> turn.run(ended), turn.result()));
    } catch (RejectedExecutionException e) {
      ended.run();
      throw stopping();
    } catch (RuntimeException | Error e) {
      ended.run();
      throw e;
    }
  }

  private void enter(String owner) {
    if (ofOwners.merge(owner, 1, Integer::sum) > MOST_OF_OWNER) {
      leaveOwner(owner);
      throw Problem.tooMany(
          "too_many_turns",
          MOST_OF_OWNER + " of your turns are in progress, which is the limit; try again.",
          1);
    }
    if (!places.tryAcquire()) {
      leaveOwner(owner);
      throw Problem.tooMany("Too many responses are in progress; try again.", 1);
    }
  }

  private void leave(String owner) {
    places.release();
    leaveOwner(owner);
  }

  private void leaveOwner(String owner) {
    ofOwners.computeIfPresent(owner, (same, count) -> count == 1 ? null : count - 1);
  }

  private void refuseWhenClosing() {
    if (closing) {
      throw stopping();
    }
  }

  private static Problem stopping() {
    return Problem.unavailable("server_stopping", "The server is stopping; try again.");
  }

  public <T extends Turn> Optional<T> find(String owner, String id, Class<T> kind) {
    return Optional.ofNullable(running.get(key(owner, id)))
        .filter(kind::isInstance)
        .map(kind::cast);
  }

  public <T extends Turn> Stream<T> running(Class<T> kind) {
    return running.values().stream().filter(kind::isInstance).map(kind::cast);
  }

  private void lookForStops() {
    for (Turn turn : running.values()) {
      try {
        if (turn.isToStop()) {
          turn.stop(Stop.Reason.CANCELLED);
        }
      } catch (RuntimeException e) {
        LOG.warn("could not check whether turn {} must stop: {}", turn.id(), e.toString());
      }
    }
  }

  /**
   * Locks a session for a turn.
   *
   * @throws dev.clew.ClewException.SessionBusy if another turn keeps it locked for longer than the
   *     wait
   */
  public Lease take(SessionKey key, Duration wait) {
    return store.session(key).lease(LEASE, settings.leaseLife(), wait);
  }

  /** The turn that has locked a session, at any server; empty if its server died. */
  public static Optional<Leases.Grant> holder(SessionStore store, SessionKey key) {
    return store.leases().holder(key, LEASE);
  }

  @SuppressWarnings("try") // held, not used
  public <T> T between(SessionKey key, Function<StoredSession, T> work) {
    try (Lease held = take(key, settings.lockWait())) {
      return work.apply(store.session(key));
    }
  }

  /** Works on a thread that may wait for turns. */
  public <T> CompletableFuture<T> aside(Supplier<T> work) {
    refuseWhenClosing();
    return CompletableFuture.supplyAsync(work, threads);
  }

  /** Starts no more turns, lets running ones finish for a while, and stops the rest. */
  public void close(Duration patience) {
    closing = true;
    boolean ended = await(patience);
    if (!ended) {
      running.values().forEach(turn -> turn.stop(Stop.Reason.SERVER_STOPS));
      ended = await(LAST_MOMENT);
    }
    if (!ended) {
      LOG.warn("{} turns did not end", running.size());
    }
    looks.shutdownNow();
    threads.shutdown();
  }

  private boolean await(Duration patience) {
    CompletableFuture<?>[] all =
        running.values().stream()
            .map(turn -> turn.result().handle((end, failure) -> ""))
            .toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(all).get(patience.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("failures are mapped to results", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
