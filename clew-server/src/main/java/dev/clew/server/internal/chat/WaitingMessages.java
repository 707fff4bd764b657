package dev.clew.server.internal.chat;

import dev.clew.ClewException;
import dev.clew.Documents;
import dev.clew.Item;
import dev.clew.Lease;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.kit.Sha256;
import dev.clew.server.internal.http.Problem;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Messages that wait for the running turn of their session, in the order in which they came, as
 * documents that all servers of the store read. Thread-safe. Sample, the document {@code
 * queue/<digest of the session's id>/<time>-<turn>}:
 *
 * <pre>{@code
 * {"turn_id":"turn_…","at":"2026-01-31T10:00:00Z","message":{"type":"message",…}}
 * }</pre>
 *
 * <p>The server that answers a message holds a lease as long as the message waits; one whose server
 * died stays, so that nothing is lost, but nobody waits for it.
 */
public record WaitingMessages(SessionStore store, Clock clock) {
  private static final Duration KEPT = Duration.ofDays(30);
  private static final int MOST = 20;

  /**
   * A message that waits.
   *
   * @param isAlive whether a server is going to answer it
   */
  public record Waiting(String turn, String at, String message, boolean isAlive) {}

  /**
   * Adds a message at the end, unless it is there already.
   *
   * @return the lease to close when it waits no longer
   */
  Lease add(SessionKey key, String turn, Item message, Duration leaseLife) {
    if (contains(key, turn)) {
      return store.session(key).lease(lease(turn), leaseLife, Duration.ZERO);
    }
    if (documents(key).size() >= MOST) {
      throw Problem.tooMany(
          "queue_full", MOST + " messages of this session are already waiting; withdraw one.", 1);
    }
    Instant now = clock.instant();
    Lease lease = store.session(key).lease(lease(turn), leaseLife, Duration.ZERO);
    try {
      String json =
          new JsonObject()
              .put("turn_id", turn)
              .put("at", now.toString())
              .raw("message", message.json())
              .toString();
      String name = "%s%015d-%s".formatted(prefix(key), now.toEpochMilli(), turn);
      store.documents().put(key.owner(), name, json, OptionalLong.empty(), Optional.of(KEPT));
      return lease;
    } catch (ClewException e) {
      lease.close();
      throw e;
    }
  }

  public List<Waiting> list(SessionKey key) {
    List<Waiting> waiting = new ArrayList<>();
    for (Documents.Document each : documents(key)) {
      Map<String, String> fields = Json.fields(each.json());
      String turn = turn(each);
      boolean isAlive = store.leases().holder(key, lease(turn)).isPresent();
      waiting.add(
          new Waiting(
              turn,
              String.valueOf(Json.string(fields.get("at"))),
              fields.getOrDefault("message", "{}"),
              isAlive));
    }
    return waiting;
  }

  /** Whether a message still waits. */
  boolean contains(SessionKey key, String turn) {
    return documents(key).stream().anyMatch(each -> turn(each).equals(turn));
  }

  /** Whether no other message that will be answered came before. */
  boolean isNext(SessionKey key, String turn) {
    return list(key).stream()
        .filter(Waiting::isAlive)
        .findFirst()
        .map(first -> first.turn().equals(turn))
        .orElse(true);
  }

  boolean isEmpty(SessionKey key) {
    return list(key).stream().noneMatch(Waiting::isAlive);
  }

  /** Takes a message out; false if it waits no more. */
  public boolean remove(SessionKey key, String turn) {
    boolean removed = false;
    for (Documents.Document each : documents(key)) {
      removed |= turn(each).equals(turn) && store.documents().delete(key.owner(), each.name());
    }
    return removed;
  }

  void forget(SessionKey key) {
    documents(key).forEach(each -> store.documents().delete(key.owner(), each.name()));
  }

  private List<Documents.Document> documents(SessionKey key) {
    return store.documents().list(key.owner(), prefix(key), Optional.empty(), MOST * 2);
  }

  private static String turn(Documents.Document document) {
    return document.name().substring(document.name().lastIndexOf('-') + 1);
  }

  private static String prefix(SessionKey key) {
    return "queue/" + Sha256.hex(key.id()) + "/";
  }

  private static String lease(String turn) {
    return "queued " + turn;
  }
}
