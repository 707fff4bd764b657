package dev.clew.retention;

import dev.clew.ClewException;
import dev.clew.Documents;
import dev.clew.Documents.Document;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.copy.SessionWalk;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.kit.Sha256;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Legal holds: what must not be removed. Thread-safe. Holds are documents of {@link
 * Retention#OWNER}; {@link HoldingStore} enforces them.
 *
 * <p>A session on hold does not expire either: it gets an endless time to live of its own, which
 * applies in every process whatever its default. It gets it when the hold is placed, from a {@link
 * HoldingStore} if it is created later, and otherwise from {@link #protect}. The old time to live
 * does not come back.
 */
public final class LegalHolds {
  private static final String PREFIX = "hold/";
  static final Duration FOR_EVER = Duration.ofDays(36_500);

  private final SessionStore store;

  /**
   * A hold. Immutable.
   *
   * @param owner the owner
   * @param id the session; everything of the owner without one
   * @param reason why
   * @param since when it was placed
   */
  public record Hold(String owner, Optional<String> id, String reason, Instant since) {
    @Override
    public String toString() {
      return "on legal hold since " + since.truncatedTo(ChronoUnit.SECONDS) + " (" + reason + ")";
    }
  }

  /** The holds of a store. */
  public LegalHolds(SessionStore store) {
    this.store = store;
  }

  /** Holds a session, or everything of an owner. Placing it again changes the reason. */
  public Hold place(String owner, Optional<String> id, String reason, Clock clock) {
    SessionKey.checkOwner(owner);
    id.ifPresent(text -> new SessionKey(owner, text));
    Hold hold = new Hold(owner, id, reason, clock.instant());
    JsonObject json = new JsonObject().put("owner", owner);
    id.ifPresent(text -> json.put("id", text));
    json.put("reason", reason).put("since", hold.since().toString());
    store.documents().put(Retention.OWNER, name(owner, id), json.json());
    protect(hold);
    return hold;
  }

  /** Releases a hold; returns whether there was one. */
  public boolean release(String owner, Optional<String> id) {
    return store.documents().delete(Retention.OWNER, name(owner, id));
  }

  /** All holds. */
  public List<Hold> all() {
    List<Hold> all = new ArrayList<>();
    for (Document document : store.documents().walk(Retention.OWNER, PREFIX)) {
      all.add(parse(document.json()));
    }
    return all;
  }

  /** The hold that a session is under, its own or its owner's. */
  public Optional<Hold> on(SessionKey key) {
    return get(name(key.owner(), Optional.empty()))
        .or(() -> get(name(key.owner(), Optional.of(key.id()))));
  }

  /** A hold on an owner or on any of the owner's sessions. */
  public Optional<Hold> onAnyOf(String owner) {
    return store
        .documents()
        .list(Retention.OWNER, name(owner, Optional.empty()), Optional.empty(), 1)
        .stream()
        .map(document -> parse(document.json()))
        .findFirst();
  }

  /**
   * Does nothing unless a session is on hold.
   *
   * @throws ClewException.OnHold saying why, and how to end it
   */
  public void requireFree(SessionKey key) {
    on(key).ifPresent(hold -> refuse("session " + key, hold));
  }

  /**
   * Does nothing unless an owner, or one of the owner's sessions, is on hold.
   *
   * @throws ClewException.OnHold saying why, and how to end it
   */
  public void requireFree(String owner) {
    onAnyOf(owner)
        .ifPresent(
            hold ->
                refuse(
                    hold.id()
                        .map(id -> "session " + new SessionKey(owner, id))
                        .orElse("owner '" + owner + "'"),
                    hold));
  }

  private static void refuse(String what, Hold hold) {
    throw new ClewException.OnHold(
        what + " is " + hold + "; nothing was removed, see 'clew retention release'");
  }

  /**
   * Does nothing unless a session is on hold.
   *
   * @throws ClewException.OnHold saying that it cannot be made to expire
   */
  void requireFreeToExpire(SessionKey key) {
    on(key)
        .ifPresent(
            hold -> {
              throw new ClewException.OnHold(
                  String.format(
                      "session %s is %s and does not expire; its time to live was not "
                          + "changed, see 'clew retention release'",
                      key, hold));
            });
  }

  /** Whether a session of that time to live ends one day. */
  static boolean ends(Duration timeToLive) {
    return timeToLive.compareTo(FOR_EVER) < 0;
  }

  /** Lifts the time to live of a session that is new or has another one, if it is on hold. */
  SessionInfo keep(SessionInfo info) {
    return isKept(info)
            || onAnyOf(info.key().owner()).isEmpty() // nearly always, and one read
            || on(info.key()).isEmpty()
        ? info
        : lift(info).orElse(info);
  }

  /** The same for a session that was just written to; nothing if it is not on hold. */
  Optional<SessionInfo> keep(SessionKey key) {
    return onAnyOf(key.owner()).isEmpty() || on(key).isEmpty()
        ? Optional.empty()
        : store.session(key).info().flatMap(this::lift);
  }

  /** Gives everything that is on hold an endless time to live. */
  public void protect() {
    all().forEach(this::protect);
  }

  private void protect(Hold hold) {
    if (hold.id().isPresent()) {
      protect(new SessionKey(hold.owner(), hold.id().get()));
    } else {
      new SessionWalk(store, hold.owner(), Optional.empty()).forEach(this::lift);
    }
  }

  private void protect(SessionKey key) {
    try {
      store.session(key).info().ifPresent(this::lift);
    } catch (ClewException.CorruptRecord e) { // it is there, and is evidence all the same
      store.session(key).update(SessionUpdate.none().timeToLive(FOR_EVER));
    }
  }

  /** Not only where the session would end here: another process may have another default. */
  private Optional<SessionInfo> lift(SessionInfo info) {
    Optional<SessionInfo> current = Optional.of(info);
    while (current.isPresent() && !isKept(current.get())) {
      SessionUpdate lifted =
          SessionUpdate.none().timeToLive(FOR_EVER).expectVersion(current.get().version());
      try {
        return Optional.of(store.session(info.key()).update(lifted));
      } catch (ClewException.VersionConflict e) {
        current =
            store.session(info.key()).info(); // it grew, or it is gone and must not be made again
      }
    }
    return current;
  }

  private static boolean isKept(SessionInfo info) {
    return info.timeToLive().isPresent() && !ends(info.timeToLive().get());
  }

  private Optional<Hold> get(String name) {
    return store
        .documents()
        .get(Retention.OWNER, name)
        .map(Documents.Document::json)
        .map(LegalHolds::parse);
  }

  private static Hold parse(String json) {
    Map<String, String> fields = Json.fields(json);
    return new Hold(
        String.valueOf(Json.string(fields.get("owner"))),
        Optional.ofNullable(Json.string(fields.get("id"))),
        String.valueOf(Json.string(fields.get("reason"))),
        Instant.parse(String.valueOf(Json.string(fields.get("since")))));
  }

  /** Hashed, because ids may be longer than a name; an owner's is the start of its sessions'. */
  private static String name(String owner, Optional<String> id) {
    return PREFIX + Sha256.hex(owner) + id.map(text -> "/" + Sha256.hex(text)).orElse("");
  }
}
