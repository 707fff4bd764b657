package dev.clew.server.internal.responses;

import dev.clew.ClewException;
import dev.clew.Documents;
import dev.clew.Lease;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.json.UncheckedJson;
import dev.clew.kit.Sha256;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.operate.Tokens;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The responses to requests with an idempotency key, so that a repeated request does not run twice.
 * Thread-safe. Keys are kept for a day. Sample:
 *
 * <pre>{@code
 * once/<digest of the key>  {"response":"resp_…","digest":"…","server":"…","done":false}
 * }</pre>
 *
 * <p>A key is taken before the response exists, so a server may die in between. Each server holds a
 * lease while it is alive; a key of a dead server without a response can be taken over.
 */
final class IdempotencyKeys implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IdempotencyKeys.class);

  static final Duration KEPT = Duration.ofDays(1);

  private static final int LONGEST = 255;
  private static final String ALIVE = "alive";

  /** How long a call waits for another one with its key to begin, and how many may. */
  private static final Duration LONGEST_START = Duration.ofSeconds(30);

  private static final int MOST_WAITING = 64;

  private final SessionStore store;
  private final Documents records;
  private final Duration leaseLife;
  private final String server = UUID.randomUUID().toString();

  /** The responses that this server is making; each is done once its turn can be found. */
  private final Map<String, CompletableFuture<Void>> underWay = new ConcurrentHashMap<>();

  private final Semaphore waiting = new Semaphore(MOST_WAITING);
  private @Nullable Lease alive;

  /**
   * Over a store.
   *
   * @param leaseLife how long a dead server counts as alive
   */
  IdempotencyKeys(SessionStore store, Duration leaseLife) {
    this.store = store;
    this.records = store.documents();
    this.leaseLife = leaseLife;
  }

  /**
   * A key and its response. Immutable.
   *
   * @param version of its document
   * @param digest of the request
   * @param done whether the request was answered without storing the response
   * @param mine whether it was taken just now, so that this call must answer
   */
  record Claim(
      String owner,
      String name,
      long version,
      String response,
      String digest,
      String server,
      boolean done,
      boolean mine) {
    /** The same key, taken by a server for a response. */
    private Claim taken(String id, String by, long at) {
      return new Claim(owner, name, at, id, digest, by, false, true);
    }

    private String json(boolean isDone) {
      return new JsonObject()
          .put("response", response)
          .put("digest", digest)
          .put("server", server)
          .put("done", isDone)
          .toString();
    }

    String doneJson() {
      return json(true);
    }
  }

  /**
   * Takes a key for a response if it is free.
   *
   * @return the new claim, or the existing one for the same request
   * @throws Problem if the key was used for another request
   */
  Claim claim(String owner, String key, String body, String response) {
    if (key.isEmpty() || key.length() > LONGEST) {
      throw Problem.invalid(
          "invalid_value",
          "Idempotency-Key",
          "An Idempotency-Key must have 1 to " + LONGEST + " characters.");
    }
    String name = "once/" + Sha256.hex(key);
    Claim wanted = new Claim(owner, name, 0, response, Sha256.hex(body), server, false, true);
    long expected = 0; // most keys are new
    while (true) {
      Optional<Claim> taken = put(wanted, expected);
      if (taken.isPresent()) {
        return taken.get();
      }
      Optional<Documents.Document> before = records.get(owner, name);
      expected = before.map(Documents.Document::version).orElse(0L);
      Optional<Claim> claim = before.flatMap(record -> read(record, wanted));
      if (claim.isPresent()) {
        return claim.get();
      }
    }
  }

  /** The claim in a document; empty if the key was released. */
  private static Optional<Claim> read(Documents.Document record, Claim wanted) {
    Map<String, String> fields = UncheckedJson.fields(record.json());
    if (!fields.containsKey("response")) {
      return Optional.empty();
    }
    if (!wanted.digest().equals(Json.string(fields.get("digest")))) {
      throw Problem.keyReused();
    }
    return Optional.of(
        new Claim(
            record.owner(),
            record.name(),
            record.version(),
            Objects.requireNonNull(Json.string(fields.get("response"))),
            wanted.digest(),
            String.valueOf(Json.string(fields.getOrDefault("server", "\"\""))),
            "true".equals(fields.get("done")),
            false));
  }

  Optional<Claim> takeOver(Claim abandoned, String response) {
    return put(abandoned.taken(response, server, 0), abandoned.version());
  }

  private Optional<Claim> put(Claim wanted, long expected) {
    beAlive();
    underWay.put(wanted.response(), new CompletableFuture<>());
    try {
      long version = put(records, wanted, wanted.json(false), expected);
      return Optional.of(wanted.taken(wanted.response(), server, version));
    } catch (ClewException.VersionConflict e) {
      ended(wanted);
      return Optional.empty();
    } catch (RuntimeException e) {
      ended(wanted);
      throw e;
    }
  }

  private static long put(Documents records, Claim claim, String json, long expected) {
    OptionalLong version = OptionalLong.of(expected);
    return records.put(claim.owner(), claim.name(), json, version, Optional.of(KEPT)).version();
  }

  boolean isUnderWay(Claim claim) {
    return claim.server().equals(server)
        ? underWay.containsKey(claim.response())
        : store.leases().holder(life(claim.server()), ALIVE).isPresent();
  }

  /** Says that the turn of a request can be found, so that others can wait for its answer. */
  void started(Claim claim) {
    CompletableFuture<Void> start = underWay.get(claim.response());
    if (start != null) {
      start.complete(null);
    }
  }

  private void ended(Claim claim) {
    CompletableFuture<Void> start = underWay.remove(claim.response());
    if (start != null) {
      start.complete(null);
    }
  }

  /**
   * Waits while another call at this server begins to answer the request.
   *
   * @return whether it did; then the key must be looked at again
   */
  boolean awaitStart(Claim claim) {
    CompletableFuture<Void> start = underWay.get(claim.response());
    if (start == null || start.isDone() || !waiting.tryAcquire()) {
      return false;
    }
    try {
      start.get(LONGEST_START.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    } finally {
      waiting.release();
    }
  }

  /** Ends a request; if it failed, the key can be used again. */
  void end(Claim claim, boolean answered) {
    ended(claim);
    if (answered) {
      return;
    }
    try {
      put(records, claim, "{}", claim.version());
    } catch (ClewException.VersionConflict e) {
      // Another call took it over and answers.
    } catch (ClewException e) { // the remaining cleanup must run
      LOG.warn("an idempotency key could not be released; it is free after this server stops", e);
    }
  }

  /** The response when the turn is already stored, because a server died before it could reply. */
  static Problem writtenBefore(Documents records, Claim claim) {
    try {
      put(records, claim, claim.doneJson(), claim.version());
      return used();
    } catch (ClewException.VersionConflict e) { // another server assumed that this one had died
      return inProgress();
    }
  }

  static Problem used() {
    return Problem.invalid(
        "idempotency_key_used",
        "Idempotency-Key",
        "This request was answered before, and its response was not stored.");
  }

  static Problem inProgress() {
    return Problem.underWay(
        "request_in_progress",
        "Idempotency-Key",
        "The same request is being answered right now; try again.");
  }

  private static SessionKey life(String server) {
    return new SessionKey(Tokens.OWNER, "server " + server);
  }

  /** Takes a lease that shows that this server is alive. */
  private synchronized void beAlive() {
    if (alive == null) {
      alive = store.session(life(server)).lease(ALIVE, leaseLife, Duration.ZERO);
    }
  }

  @Override
  public synchronized void close() {
    if (alive != null) {
      alive.close();
    }
  }
}
