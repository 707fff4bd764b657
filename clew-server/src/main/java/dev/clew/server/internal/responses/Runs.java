package dev.clew.server.internal.responses;

import dev.clew.ClewException;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.telemetry.Telemetry;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The responses that this server is answering. Thread-safe. */
final class Runs implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Runs.class);
  private static final int MOST = 500;
  private static final long LOOK_MS = 500;
  private static final Duration LAST_MOMENT = Duration.ofSeconds(5);

  private final ResponseRecords records;
  private final Telemetry telemetry;
  private final Map<String, ResponseRun> active = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();
  private volatile boolean closing;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(Runs::thread);

  Runs(ResponseRecords records, Telemetry telemetry) {
    this.records = records;
    this.telemetry = telemetry;
    var unused =
        clock.scheduleWithFixedDelay(
            this::lookForCancelled, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "clew-turn-watch");
    thread.setDaemon(true);
    return thread;
  }

  private static String key(String owner, String id) {
    return owner + '\n' + id;
  }

  /**
   * Lets a run begin; what is returned has to be run then.
   *
   * @throws Problem if there are too many
   */
  Runnable begin(ResponseRun run) {
    if (closing) {
      throw Problem.unavailable("server_stopped", "The server is stopping; try again.");
    }
    if (count.incrementAndGet() > MOST) {
      count.decrementAndGet();
      throw Problem.tooMany("Too many responses are being answered; try again.", 1);
    }
    String key = key(run.asked().owner(), run.asked().id());
    String conversation = run.asked().request().conversation().orElse(run.asked().id());
    try {
      run.announce();
    } catch (RuntimeException e) {
      count.decrementAndGet();
      throw e;
    }
    active.put(key, run);
    run.beforeItEnds(
        answered -> {
          active.remove(key);
          count.decrementAndGet();
        });
    return telemetry.turn("responses", conversation, run, run.result());
  }

  /** A run of this server. */
  Optional<ResponseRun> find(String owner, String id) {
    return Optional.ofNullable(active.get(key(owner, id)));
  }

  /** Another server may have been told to cancel what runs here. */
  private void lookForCancelled() {
    for (ResponseRun run : active.values()) {
      ResponseRun.Asked asked = run.asked();
      if (asked.request().background()) {
        try {
          Optional<StoredResponse> now = records.read(asked.owner(), asked.id());
          if (now.isEmpty() || now.get().status().equals("cancelled")) {
            run.stop(Stop.Reason.CANCELLED);
          }
        } catch (ClewException e) {
          LOG.debug("could not look whether response {} was cancelled", asked.id(), e);
        }
      }
    }
  }

  /** Lets runs finish for a while, and ends the others as failed. */
  void close(Duration patience) {
    closing = true;
    clock.shutdownNow();
    boolean ended = await(patience);
    if (!ended) {
      active.values().forEach(run -> run.stop(Stop.Reason.SERVER_STOPS));
      ended = await(LAST_MOMENT);
    }
    if (!ended) {
      LOG.warn("{} responses did not end; they will be found as failed", active.size());
    }
  }

  private boolean await(Duration patience) {
    CompletableFuture<?>[] all =
        active.values().stream()
            .map(run -> run.result().handle((end, failure) -> ""))
            .toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(all).get(patience.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("failures were handled", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    close(Duration.ZERO);
  }
}
