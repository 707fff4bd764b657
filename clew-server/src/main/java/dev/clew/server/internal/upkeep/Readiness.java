package dev.clew.server.internal.upkeep;

import dev.clew.ClewException;
import dev.clew.SessionStore;
import dev.clew.json.JsonObject;
import dev.clew.kit.Daemons;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.operate.Tokens;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the store can be read and written. Thread-safe.
 *
 * <p>One thread checks for all callers: it pings the store and sometimes writes a little. A store
 * that does not answer in time is not ready; callers never hang with it.
 */
public final class Readiness implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final Duration FRESH = Duration.ofSeconds(2);
  private static final String NAME = "ready";

  /** More than fits into the last page of a file that cannot grow. */
  private static final String ROOM = "x".repeat(16 << 10);

  private final SessionStore store;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Daemons.named("clew-ready"));
  private @Nullable CompletableFuture<Boolean> last;
  private long askedAt;
  private @Nullable Long wroteAt; // only used by the thread

  public Readiness(SessionStore store) {
    this.store = store;
  }

  /** Completes with true when the store is ready; fails if it is not or does not answer in time. */
  public synchronized CompletableFuture<Boolean> check() {
    long now = System.nanoTime();
    CompletableFuture<Boolean> known = last;
    if (known == null || known.isDone()) {
      known = CompletableFuture.supplyAsync(this::use, thread);
      last = known;
      askedAt = now;
    }
    if (!known.isDone() && now - askedAt > PATIENCE.toNanos()) {
      return CompletableFuture.failedFuture(silent()); // an earlier check hangs
    }
    return known
        .copy()
        .completeOnTimeout(false, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
        .thenApply(Readiness::inTime);
  }

  private static boolean inTime(boolean answered) {
    if (!answered) {
      throw silent();
    }
    return true;
  }

  private static Problem silent() {
    return Problem.unavailable(
        "store_unavailable", "The store did not answer in " + PATIENCE.toSeconds() + " seconds.");
  }

  private boolean use() {
    store.ping();
    long now = System.nanoTime();
    if (wroteAt != null && now - wroteAt < FRESH.toNanos()) {
      return true;
    }
    try {
      String json = new JsonObject().put("room", ROOM).toString();
      store
          .documents()
          .put(Tokens.OWNER, NAME, json, OptionalLong.empty(), Optional.of(Duration.ofDays(1)));
    } catch (ClewException.VersionConflict e) {
      // Another server has just written it, so writing works.
    }
    wroteAt = now;
    return true;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
