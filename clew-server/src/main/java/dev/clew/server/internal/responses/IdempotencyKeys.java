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
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which response answers the request with an idempotency key, so that a request that is sent again
 * is not answered again. Thread-safe. Keys are remembered for a day. Sample:
 *
 * <pre>{@code
 * once/<digest of the key>  {"response":"resp_…","digest":"…","server":"…","done":false}
 * }</pre>
 *
 * <p>A key is taken before anything is known of the response, so a server may die in between. Each
 * server holds a lease as long as it lives; a key that a dead one has taken, and that nothing came
 * of, is free for whoever sends the request again.
 */
final class IdempotencyKeys implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IdempotencyKeys.class);

  /** How long a key is remembered. */
  static final Duration KEPT = Duration.ofDays(1);

  private static final int LONGEST = 255;
  private static final String ALIVE = "alive";

  private final SessionStore store;
  private final Documents records;
  private final Duration leaseLife;
  private final String server = UUID.randomUUID().toString();
  private final Set<String> underWay = ConcurrentHashMap.newKeySet();
  private @Nullable Lease alive;

  /**
   * Over a store.
   *
   * @param leaseLife how long a server that has died is taken to live
   */
  IdempotencyKeys(SessionStore store, Duration leaseLife) {
    this.store = store;
    this.records = store.documents();
    this.leaseLife = leaseLife;
  }

  /**
   * A key that a response was given. Immutable.
   *
   * @param owner who has sent it
   * @param name of its record
   * @param version of its record
   * @param response the response's id
   * @param digest of the request
   * @param server who answers
   * @param done whether the request was answered and nothing was kept of the response
   * @param mine whether it was taken now, so that it has to be answered
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
    /** The same key for a response of this server. */
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

    /** Its record when the request is answered and nothing is kept of the response. */
    String doneJson() {
      return json(true);
    }
  }

  /**
   * Takes a key for a response, if it is free.
   *
   * @return the claim, or the one that was there before for the same request
   * @throws Problem if something else was asked with it
   */
  Claim claim(String owner, String key, String body, String response) {
    if (key.isEmpty() || key.length() > LONGEST) {
      throw Problem.invalid(
          "invalid_value",
          "Idempotency-Key",
          "An Idempotency-Key has 1 to " + LONGEST + " characters.");
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

  /** The claim in a record; none if the key was given back. */
  private static Optional<Claim> read(Documents.Document record, Claim wanted) {
    Map<String, String> fields = UncheckedJson.fields(record.json());
    if (!fields.containsKey("response")) {
      return Optional.empty();
    }
    if (!wanted.digest().equals(Json.string(fields.get("digest")))) {
      throw Problem.invalid(
          "idempotency_key_reused",
          "Idempotency-Key",
          "This Idempotency-Key came with another request before; use a new one.");
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

  /** Takes a key over that nothing came of; nothing if somebody else was faster. */
  Optional<Claim> takeOver(Claim abandoned, String response) {
    return put(abandoned.taken(response, server, 0), abandoned.version());
  }

  private Optional<Claim> put(Claim wanted, long expected) {
    beAlive();
    underWay.add(wanted.response());
    try {
      long version =
          records
              .put(
                  wanted.owner(),
                  wanted.name(),
                  wanted.json(false),
                  OptionalLong.of(expected),
                  Optional.of(KEPT))
              .version();
      return Optional.of(wanted.taken(wanted.response(), server, version));
    } catch (ClewException.VersionConflict e) {
      underWay.remove(wanted.response());
      return Optional.empty();
    } catch (RuntimeException e) {
      underWay.remove(wanted.response());
      throw e;
    }
  }

  /** Whether somebody may still answer it. */
  boolean isUnderWay(Claim claim) {
    return claim.server().equals(server)
        ? underWay.contains(claim.response())
        : store.leases().holder(life(claim.server()), ALIVE).isPresent();
  }

  /** The request is over; if it came to nothing, it may be tried again with the same key. */
  void end(Claim claim, boolean answered) {
    underWay.remove(claim.response());
    if (answered) {
      return;
    }
    try {
      records.put(
          claim.owner(), claim.name(), "{}", OptionalLong.of(claim.version()), Optional.of(KEPT));
    } catch (ClewException.VersionConflict e) {
      // Somebody has taken it over, and answers.
    } catch (ClewException e) { // what else is to be done at the end must be done
      LOG.warn("a key could not be given back; it is free when this server is gone", e);
    }
  }

  /**
   * What to say when the turn of a request was found to be written already: a server that has died
   * wrote it and could not say so.
   */
  static Problem writtenBefore(Documents records, Claim claim) {
    try {
      records.put(
          claim.owner(),
          claim.name(),
          claim.doneJson(),
          OptionalLong.of(claim.version()),
          Optional.of(KEPT));
      return used();
    } catch (ClewException.VersionConflict e) { // this server was taken for dead
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
    return Problem.refused(
        409,
        "request_in_progress",
        "Idempotency-Key",
        "The same request is being answered at this moment; try again.");
  }

  private static SessionKey life(String server) {
    return new SessionKey(Tokens.OWNER, "server " + server);
  }

  /** Makes known that this server lives, as long as it does. */
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
