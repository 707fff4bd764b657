package dev.clew.server.internal.chat;

import dev.clew.ClewException;
import dev.clew.Documents.Document;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Lease;
import dev.clew.Range;
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
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Messages that wait for the running turn of their session, in the order in which they came, as
 * documents that all servers of the store read. Thread-safe. What is looked at again and again is
 * short; the message, which may be large, is read by those who want to see it. Samples:
 *
 * <pre>{@code
 * queue/<digest of the session's id>/<time>-<turn>
 *   {"turn_id":"turn_…","at":"2026-01-31T10:00:00Z","bytes":51,"state":"waits"}
 * queued/<digest of the session's id>/<turn>
 *   {"type":"message",…}
 * }</pre>
 *
 * <p>The server that answers a message holds a lease until the message is in the session; one whose
 * server died before that stays, so that nothing is lost, but nobody waits for it. The state goes
 * from {@code waits} to {@code taken} by its turn or to {@code withdrawn}, whichever comes first.
 * One that was taken remembers the last position before it, to tell whether it is in the session.
 */
public record WaitingMessages(SessionStore store, Clock clock) {
  private static final Duration KEPT = Duration.ofDays(30);
  private static final String STATE = "state";
  private static final String WAITS = "waits";
  private static final String TAKEN = "taken";
  private static final String BEHIND = "behind";
  private static final String WITHDRAWN = "withdrawn";
  private static final int MOST = 20;
  private static final int PAGE = 64;

  /** Of all messages of a session: as much as one may have. */
  private static final long MOST_BYTES = 10 << 20;

  /**
   * A message that waits.
   *
   * @param isAlive whether a server is going to answer it
   */
  public record Waiting(String turn, String at, String message, boolean isAlive) {}

  /**
   * Adds a message at the end.
   *
   * @return the lease to close when it waits no longer
   */
  Lease add(SessionKey key, String turn, Item message, Duration leaseLife) {
    List<Document> others = documents(key);
    if (others.size() >= MOST || bytes(others) + message.json().length() > MOST_BYTES) {
      throw Problem.tooMany(
          "queue_full",
          MOST
              + " messages of this session, or "
              + (MOST_BYTES >> 20)
              + " MiB of them, are already waiting; withdraw one.",
          1);
    }
    Instant now = clock.instant();
    Lease lease = store.session(key).lease(lease(turn), leaseLife, Duration.ZERO);
    try {
      put(key, message(key, turn), message.json());
      String json =
          new JsonObject()
              .put("turn_id", turn)
              .put("at", now.toString())
              .put("bytes", message.json().length())
              .put(STATE, WAITS)
              .toString();
      put(key, "%s%015d-%s".formatted(prefix(key), now.toEpochMilli(), turn), json);
      return lease;
    } catch (ClewException e) {
      lease.close();
      throw e;
    }
  }

  private void put(SessionKey key, String name, String json) {
    store.documents().put(key.owner(), name, json, OptionalLong.empty(), Optional.of(KEPT));
  }

  private static long bytes(List<Document> waiting) {
    return waiting.stream()
        .mapToLong(each -> Long.parseLong(Json.fields(each.json()).getOrDefault("bytes", "0")))
        .sum();
  }

  /** How long the messages of a session are together. */
  public long bytes(SessionKey key) {
    return bytes(documents(key));
  }

  public List<Waiting> list(SessionKey key) {
    List<Waiting> waiting = new ArrayList<>();
    for (Document each : documents(key)) {
      String turn = turn(each);
      boolean alive = isAlive(key, turn);
      if (!is(WAITS, each) && alive) {
        continue; // its turn has begun
      }
      String at = String.valueOf(Json.string(Json.fields(each.json()).get("at")));
      Optional<String> message =
          store.documents().get(key.owner(), message(key, turn)).map(Document::json);
      if (message.filter(json -> isSaid(key, each, json)).isPresent()) {
        remove(key, each); // its server died before it could do so
        continue;
      }
      message.ifPresent(json -> waiting.add(new Waiting(turn, at, json, alive)));
    }
    return waiting;
  }

  /** Whether a message is in its session, behind what was there when its turn began. */
  private boolean isSaid(SessionKey key, Document each, String message) {
    String behind = Json.fields(each.json()).get(BEHIND);
    if (behind == null) {
      return false;
    }
    for (Entry entry : Range.latest(PAGE).walk(store.session(key)::entries)) {
      if (entry.position() <= Long.parseLong(behind)) {
        return false;
      }
      if (entry.item().json().equals(message)) {
        return true;
      }
    }
    return false;
  }

  private boolean isAlive(SessionKey key, String turn) {
    return store.leases().holder(key, lease(turn)).isPresent();
  }

  private static boolean is(String state, Document each) {
    return state.equals(Json.string(Json.fields(each.json()).get(STATE)));
  }

  /** Whether a message still waits. */
  boolean contains(SessionKey key, String turn) {
    return find(key, turn).filter(each -> is(WAITS, each)).isPresent();
  }

  private Optional<Document> find(SessionKey key, String turn) {
    return documents(key).stream().filter(each -> turn(each).equals(turn)).findFirst();
  }

  /** The first message that will be answered. */
  private Optional<String> next(SessionKey key) {
    return documents(key).stream()
        .map(WaitingMessages::turn)
        .filter(turn -> isAlive(key, turn))
        .findFirst();
  }

  /** Whether no other message that will be answered came before. */
  boolean isNext(SessionKey key, String turn) {
    return next(key).map(turn::equals).orElse(true);
  }

  boolean isEmpty(SessionKey key) {
    return next(key).isEmpty();
  }

  /** The turn of a message begins; false if the message was withdrawn. */
  boolean take(SessionKey key, String turn) {
    return find(key, turn).filter(each -> change(key, each, TAKEN)).isPresent();
  }

  /** The position of the last entry of a session. */
  private long last(SessionKey key) {
    List<Entry> newest = store.session(key).entries(Range.latest(1)).entries();
    return newest.isEmpty() ? Long.MIN_VALUE : newest.get(0).position();
  }

  /** Takes back a message; false if it waits no more. One whose server died may be taken back. */
  public boolean withdraw(SessionKey key, String turn) {
    boolean withdrawn =
        find(key, turn)
            .filter(each -> is(WAITS, each) || !isAlive(key, turn))
            .filter(each -> change(key, each, WITHDRAWN))
            .isPresent();
    if (withdrawn) {
      remove(key, turn);
    }
    return withdrawn;
  }

  /** Changes the state of a message that waits, unless somebody else was faster. */
  private boolean change(SessionKey key, Document each, String state) {
    JsonObject json = new JsonObject();
    Json.fields(each.json())
        .forEach((name, raw) -> json.raw(name, name.equals(STATE) ? Json.quote(state) : raw));
    if (state.equals(TAKEN)) {
      json.put(BEHIND, last(key));
    }
    OptionalLong version = OptionalLong.of(each.version());
    try {
      store.documents().put(key.owner(), each.name(), json.toString(), version, Optional.of(KEPT));
      return true;
    } catch (ClewException.VersionConflict e) {
      return false;
    }
  }

  /** The message waits no longer: it is in its session, or its caller was told that it failed. */
  void remove(SessionKey key, String turn) {
    find(key, turn).ifPresent(each -> remove(key, each));
  }

  private void remove(SessionKey key, Document each) {
    store.documents().delete(key.owner(), each.name());
    store.documents().delete(key.owner(), message(key, turn(each)));
  }

  void forget(SessionKey key) {
    documents(key).forEach(each -> remove(key, each));
  }

  private List<Document> documents(SessionKey key) {
    return store.documents().list(key.owner(), prefix(key), Optional.empty(), MOST * 2);
  }

  private static String turn(Document document) {
    return document.name().substring(document.name().lastIndexOf('-') + 1);
  }

  private static String prefix(SessionKey key) {
    return "queue/" + Sha256.hex(key.id()) + "/";
  }

  private static String message(SessionKey key, String turn) {
    return "queued/" + Sha256.hex(key.id()) + "/" + turn;
  }

  private static String lease(String turn) {
    return "queued " + turn;
  }
}
