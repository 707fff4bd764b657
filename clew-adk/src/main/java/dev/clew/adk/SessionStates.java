package dev.clew.adk;

import com.google.adk.events.Event;
import com.google.adk.sessions.State;
import dev.clew.Capability;
import dev.clew.Commit.DocumentPut;
import dev.clew.Documents.Document;
import dev.clew.Entry;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionStore;
import dev.clew.adapter.Framed;
import dev.clew.adapter.MessageFrame;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The state of sessions: what a session was created with is in its metadata, and a document has the
 * state after the newest event that changed it. Thread-safe.
 *
 * <p>On stores that write the document after the event, it may be behind; then the changes of the
 * events after it are applied.
 */
final class SessionStates {
  private static final String METADATA = "adk";
  private static final String INSTANCE = "instance";
  private static final String STATE = "state";
  private static final String THROUGH = "through";
  private static final int PAGE = 500;

  private final SessionStore store;
  private final MessageFrame<Event> frame;
  private final boolean atomic;

  SessionStates(SessionStore store, MessageFrame<Event> frame) {
    this.store = store;
    this.frame = frame;
    this.atomic = store.traits().has(Capability.ATOMIC_DOCUMENTS);
  }

  /** The metadata of a new session; {@code instance} tells it from a deleted one with its id. */
  static Map<String, Object> metadata(String instance, Map<String, Object> state) {
    return Map.of(METADATA, Map.of(INSTANCE, instance, STATE, SharedState.json(state)));
  }

  private static String metadata(SessionInfo info, String name) {
    return info.metadata().get(METADATA) instanceof Map<?, ?> mine
            && mine.get(name) instanceof String text
        ? text
        : "";
  }

  /** The state of a session of this app. */
  Map<String, Object> read(SessionInfo info, String app) {
    String id = info.key().id().substring(AdkNames.prefix(app).length());
    String name = AdkNames.sessionState(app, id);
    return read(info, store.documents().get(info.key().owner(), name).orElse(null));
  }

  /** The documents with the states of all sessions of an app and a user, by name. */
  Map<String, Document> documents(String app, String user) {
    Map<String, Document> all = new HashMap<>();
    Optional<String> after = Optional.empty();
    List<Document> page;
    do {
      page = store.documents().list(user, AdkNames.sessionStates(app), after, PAGE);
      page.forEach(document -> all.put(document.name(), document));
      after = page.isEmpty() ? after : Optional.of(page.get(page.size() - 1).name());
    } while (page.size() == PAGE);
    return all;
  }

  Map<String, Object> read(SessionInfo info, @Nullable Document document) {
    Map<String, String> fields = document == null ? Map.of() : Json.fields(document.json());
    boolean current =
        document != null && metadata(info, INSTANCE).equals(Json.string(fields.get(INSTANCE)));
    if (!current) {
      String initial = metadata(info, STATE);
      Map<String, Object> state = initial.isEmpty() ? new TreeMap<>() : SharedState.map(initial);
      return atomic ? state : replayed(info, state, OptionalLong.empty());
    }
    Map<String, Object> state = SharedState.map(Objects.requireNonNull(fields.get(STATE)));
    return atomic
        ? state
        : replayed(
            info,
            state,
            OptionalLong.of(Long.parseLong(Objects.requireNonNull(fields.get(THROUGH)))));
  }

  private Map<String, Object> replayed(
      SessionInfo info, Map<String, Object> state, OptionalLong through) {
    List<Entry> entries =
        store
            .session(info.key())
            .entries(new Range(through, false, Integer.MAX_VALUE, false))
            .entries();
    for (Framed<Event> framed : frame.messages(entries)) {
      SharedState.apply(SharedState.ofSession(delta(framed.message())), state);
    }
    return state;
  }

  static Map<String, Object> delta(Event event) {
    return event.actions() == null ? Map.of() : event.actions().stateDelta();
  }

  /** What to write along with an event; empty if it does not change the session's state. */
  Optional<DocumentPut> change(SessionInfo info, String app, Event event) {
    Map<String, Object> delta = SharedState.ofSession(delta(event));
    if (delta.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Object> state = read(info, app);
    SharedState.apply(delta, state);
    String json = SharedState.json(state);
    String id = info.key().id().substring(AdkNames.prefix(app).length());
    return Optional.of(
        new DocumentPut(
            AdkNames.sessionState(app, id),
            OptionalLong.empty(),
            Optional.empty(),
            receipt ->
                new JsonObject()
                    .put(INSTANCE, metadata(info, INSTANCE))
                    .put(THROUGH, receipt.lastPosition().orElse(0))
                    .raw(STATE, json)
                    .toString()));
  }

  /** The event without what lasts for one invocation only. */
  static Event lasting(Event event) {
    Map<String, Object> delta = delta(event);
    if (delta.keySet().stream().noneMatch(key -> key.startsWith(State.TEMP_PREFIX))) {
      return event;
    }
    Map<String, Object> kept = new HashMap<>(delta);
    kept.keySet().removeIf(key -> key.startsWith(State.TEMP_PREFIX));
    return event.toBuilder().actions(event.actions().toBuilder().stateDelta(kept).build()).build();
  }
}
