package dev.clew.server.internal.chat;

import dev.clew.ClewException;
import dev.clew.Documents;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.kit.Sha256;
import dev.clew.server.internal.runs.TurnEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which turn runs in a session, and whether it must stop, as documents that all servers of the
 * store read. Thread-safe. Samples:
 *
 * <pre>{@code
 * turn/<digest of the session's id>   {"turn_id":"turn_…","running":true,"session_id":"…","state":"running"}
 * stop/<digest of the session's id>   {"turn_id":"turn_…"}
 * }</pre>
 */
public record TurnMarks(SessionStore store) {
  private static final String RUNS = "running";
  private static final String WAITING = "waiting";
  private static final String DONE = "done";
  private static final int MOST = 1000;
  private static final Duration RUNNING = Duration.ofDays(1);
  private static final Duration ENDED = Duration.ofMinutes(10);
  private static final Duration ASKED = Duration.ofMinutes(1);

  /** Marks a turn that has locked its session; returns the version of the mark. */
  long begin(SessionKey key, String turn) {
    return put(key, turn, RUNS, OptionalLong.empty(), RUNNING);
  }

  /** Marks the end of a turn, unless the next one has begun. */
  void end(SessionKey key, String turn, long version, boolean waits) {
    try {
      String state = waits ? WAITING : DONE;
      put(key, turn, state, OptionalLong.of(version), waits ? PendingRuns.KEPT : ENDED);
    } catch (ClewException.VersionConflict e) {
      // The next turn has set its mark.
    }
  }

  private long put(SessionKey key, String turn, String state, OptionalLong version, Duration life) {
    return store
        .documents()
        .put(
            key.owner(),
            name("turn", key),
            new JsonObject()
                .put("turn_id", turn)
                .put("running", state.equals(RUNS))
                .put("session_id", key.id())
                .put("state", state)
                .toString(),
            version,
            Optional.of(life))
        .version();
  }

  /**
   * A turn of a session.
   *
   * @param running false if it ended; it may be true after its server died
   */
  private record Marked(String turn, boolean running) {}

  /**
   * A turn of a session.
   *
   * @param running false if it ended or its server died
   */
  public record Mark(String turn, boolean running) {}

  private Optional<Marked> marked(SessionKey key) {
    return store
        .documents()
        .get(key.owner(), name("turn", key))
        .map(record -> Json.fields(record.json()))
        .map(fields -> new Marked(turn(fields), "true".equals(fields.get("running"))));
  }

  /** The turn that began last; none if that is long ago. */
  public Optional<Mark> last(SessionKey key) {
    return marked(key).map(mark -> new Mark(mark.turn(), mark.running() && isLocked(key)));
  }

  /**
   * A session in which something goes on.
   *
   * @param state running, or waiting for a person's decision
   */
  public record Active(String session, String turn, String state) {}

  /** The sessions of an owner in which a turn runs or waits; bounded, however many there are. */
  public List<Active> active(String owner) {
    List<Active> active = new ArrayList<>();
    int read = 0;
    for (Documents.Document mark : store.documents().walk(owner, "turn/")) {
      if (++read > MOST) {
        break;
      }
      Map<String, String> fields = Json.fields(mark.json());
      String state = String.valueOf(Json.string(fields.get("state")));
      String session = Json.string(fields.get("session_id"));
      if (session != null && !state.equals(DONE)) {
        SessionKey key = new SessionKey(owner, session);
        boolean goesOn =
            state.equals(RUNS) ? isLocked(key) : new PendingRuns(store).get(key).isPresent();
        if (goesOn) {
          active.add(new Active(session, turn(fields), state));
        }
      }
    }
    return active;
  }

  /** The turn that is running now. */
  Optional<String> running(SessionKey key) {
    return last(key).filter(Mark::running).map(Mark::turn);
  }

  /** Whether a turn has ended. */
  public boolean isOver(SessionKey key, String turn) {
    return !marked(key).equals(Optional.of(new Marked(turn, true)));
  }

  /** Whether the server of a turn died before the turn ended. */
  public boolean isAbandoned(SessionKey key, String turn) {
    return !isOver(key, turn) && !isLocked(key);
  }

  private boolean isLocked(SessionKey key) {
    return TurnEngine.holder(store, key).isPresent();
  }

  void askToStop(SessionKey key, String turn) {
    store
        .documents()
        .put(
            key.owner(),
            name("stop", key),
            new JsonObject().put("turn_id", turn).toString(),
            OptionalLong.empty(),
            Optional.of(ASKED));
  }

  boolean shallStop(SessionKey key, String turn) {
    return store
        .documents()
        .get(key.owner(), name("stop", key))
        .map(record -> turn(Json.fields(record.json())).equals(turn))
        .orElse(false);
  }

  void forget(SessionKey key) {
    store.documents().delete(key.owner(), name("turn", key));
    store.documents().delete(key.owner(), name("stop", key));
  }

  private static String turn(Map<String, String> fields) {
    return String.valueOf(Json.string(fields.get("turn_id")));
  }

  static String name(String kind, SessionKey key) {
    return kind + "/" + Sha256.hex(key.id());
  }
}
