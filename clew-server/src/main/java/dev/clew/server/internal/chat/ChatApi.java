package dev.clew.server.internal.chat;

import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.json.JsonObject;
import dev.clew.kit.SessionChange;
import dev.clew.kit.Sha256;
import dev.clew.server.internal.completions.SaidBefore;
import dev.clew.server.internal.describe.FirstTitle;
import dev.clew.server.internal.describe.ServerMetadata;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.EventStream;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.runs.EventLogs;
import dev.clew.server.internal.wire.Entries;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.ServerModels;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The chat API: {@code /api/chat}. Thread-safe. */
public record ChatApi(
    SessionStore store, SessionTurns turns, EventLogs logs, ServerModels models, boolean strict) {
  private static final Set<String> FIELDS =
      Set.of(
          "message",
          "session_id",
          "stream",
          "model",
          "instructions",
          "model_settings",
          "project",
          "temporary",
          "when_busy");

  public List<Route> routes() {
    return List.of(
        Route.post("/api/chat", Scope.WRITE, "Sends a message to a session.", this::chat)
            .taking(GivenMessage.MOST_BYTES),
        Route.delete(
            "/api/chat/{session_id}", Scope.WRITE, "Clears a session's history.", this::clear));
  }

  private void chat(Call call) {
    Fields body = Fields.of(call, strict, FIELDS);
    Item message = GivenMessage.read(body);
    SessionPreferences wishes = SessionPreferences.read(body, models);
    Belonging belonging = Belonging.read(body, turns.library(), call.owner()).withMessage();
    boolean waits = waits(body);
    boolean streamed = isStreamed(call, body);
    Optional<String> once = call.idempotencyKey();
    String id =
        body.text("session_id")
            .filter(given -> !given.isEmpty())
            .orElseGet(() -> once.map(ChatApi::uuid).orElseGet(() -> UUID.randomUUID().toString()));
    SessionKey key = Addressed.given(call.owner(), id);
    begin(key, message, wishes, belonging);
    TurnPlan plan = TurnPlan.answer(message, once.map(given -> "chat/" + Sha256.hex(given)), waits);
    answer(call, turns.start(key, plan, call.requestId()), streamed);
  }

  /** Whether a message waits while another turn of its session runs, instead of being refused. */
  private static boolean waits(Fields body) {
    String busy = body.text("when_busy").orElse("queue");
    if (!Set.of("queue", "refuse").contains(busy)) {
      throw Problem.unsupported("when_busy", busy, List.of("queue", "refuse"));
    }
    return busy.equals("queue");
  }

  /** Creates the session, even if the turn fails, and stores the preferences. */
  private void begin(SessionKey key, Item message, SessionPreferences wishes, Belonging belonging) {
    Optional<SessionInfo> info = store.session(key).info();
    if (info.isEmpty()) {
      SessionUpdate first =
          FirstTitle.with(wishes.of(ServerMetadata.NOTHING), Map.of(), List.of(message));
      store.session(key).update(belonging.of(first));
    } else if (!belonging.isOf(info.get())
        || !wishes.of(ServerMetadata.of(info.get())).equals(ServerMetadata.of(info.get()))) {
      SessionChange.change(
          store.session(key),
          now ->
              Optional.of(
                  belonging.of(
                      now,
                      SessionUpdate.none()
                          .metadata(wishes.of(ServerMetadata.of(now)).with(now.metadata())))));
    }
  }

  /** The same id for the same key, so that a repeated first message finds its session. */
  private static String uuid(String key) {
    String hex = Sha256.hex("session\n" + key);
    String variant = Integer.toHexString(8 + Character.digit(hex.charAt(16), 16) % 4);
    return String.join(
        "-",
        hex.substring(0, 8),
        hex.substring(8, 12),
        "4" + hex.substring(13, 16),
        variant + hex.substring(17, 20),
        hex.substring(20, 32));
  }

  /** Whether to stream: by the header, or by a field for clients that cannot set headers. */
  public static boolean isStreamed(Call call, Fields body) {
    return body.flag("stream").orElse(false)
        || call.header("Accept").orElse("").toLowerCase(Locale.ROOT).contains("text/event-stream");
  }

  /** Replies with the result of a turn, or streams its events. */
  public void answer(Call call, ChatTurn turn, boolean streamed) {
    if (!streamed) {
      call.replyLater(turn.result());
      return;
    }
    EventStream stream =
        call.stream(
            refused -> EventStream.event("error", ChatReply.json(refused, call.requestId())));
    logs.follow(
        turn.log(),
        stream,
        (to, event) -> to.send(String.valueOf(event.number()), event.name(), event.data()));
  }

  private void clear(Call call) {
    SessionKey key = Addressed.info(store, call).key();
    call.replyLater(turns.between(key, call.requestId(), this::clear));
  }

  private String clear(StoredSession session) {
    SessionInfo info = session.info().orElseThrow(() -> Addressed.notFound(session.id()));
    Runnable saidBefore = SaidBefore.of(store, session.key());
    turns.titles().clearing(session.key());
    turns.forget(session.key());
    Entries.newest(session)
        .ifPresent(
            last -> {
              var unused = session.commit(Commit.dropPrefix(last.position(), List.of()));
            });
    turns.forgetLogs(session.key());
    saidBefore.run();
    turns.titles().emptied(session.key());
    if (!session.entries(Range.first(1).withCompacted()).entries().isEmpty()) {
      clearArchive(session, session.info().orElse(info));
    }
    return new JsonObject()
        .put("session_id", session.id())
        .put("cleared", info.itemCount())
        .toString();
  }

  /** Deletes compacted items too, which go only with the session itself. */
  private static void clearArchive(StoredSession session, SessionInfo info) {
    session.clearSession();
    SessionUpdate same =
        SessionUpdate.none()
            .title(info.title())
            .metadata(info.metadata())
            .tags(info.tags())
            .archived(info.archived())
            .pinned(info.pinned());
    session.update(info.timeToLive().map(same::timeToLive).orElse(same));
  }
}
