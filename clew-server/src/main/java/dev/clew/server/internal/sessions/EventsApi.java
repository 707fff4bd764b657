package dev.clew.server.internal.sessions;

import dev.clew.SessionInfo;
import dev.clew.SessionStore;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.chat.Addressed;
import dev.clew.server.internal.chat.SessionTurns;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.EventStream;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.runs.EventLogs;
import dev.clew.server.internal.runs.Lanes;
import dev.clew.server.operate.Scope;
import java.util.List;
import java.util.Optional;

/** Live updates of a session. Thread-safe. */
public final class EventsApi implements AutoCloseable {
  private final SessionStore store;
  private final SessionTurns turns;
  private final EventLogs logs;

  /** Work for readers, off the store's thread, which notifies all of them. */
  private final Lanes lanes = new Lanes("clew-live-updates");

  public EventsApi(SessionStore store, SessionTurns turns, EventLogs logs) {
    this.store = store;
    this.turns = turns;
    this.logs = logs;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
            Addressed.PATH + "/events",
            Scope.READ,
            "Streams the changes of a session (SSE).",
            this::events));
  }

  private void events(Call call) {
    Optional<String> last =
        call.header("Last-Event-ID").or(() -> call.query("after")).filter(id -> !id.isEmpty());
    SessionInfo info = Addressed.info(store, call);
    long from = last.map(EventsApi::version).orElse(info.version());
    EventStream stream = call.stream();
    if (from > info.version()) { // of another store, or of this one before it was restored
      from = info.version();
      stream.send(String.valueOf(from), "reload", new JsonObject().put("version", from).toString());
    }
    new LiveUpdates(store, info.key(), turns.marks(), logs, lanes, stream, Attachments.shown(call))
        .start(from);
  }

  private static long version(String id) {
    if (!id.matches("\\d{1,18}")) {
      throw Problem.invalidValue("Last-Event-ID", "it is not an event id");
    }
    return Long.parseLong(id);
  }

  @Override
  public void close() {
    lanes.close();
  }
}
