package dev.clew.adk;

import com.google.adk.events.Event;
import com.google.adk.sessions.BaseSessionService;
import com.google.adk.sessions.GetSessionConfig;
import com.google.adk.sessions.ListEventsResponse;
import com.google.adk.sessions.ListSessionsResponse;
import com.google.adk.sessions.Session;
import com.google.adk.sessions.SessionNotFoundException;
import dev.clew.ClewException;
import dev.clew.Documents.Document;
import dev.clew.SessionInfo;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.adapter.MessageFrame;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of ADK in a store. Thread-safe; closes nothing. Calls run on RxJava's {@code io}
 * scheduler.
 *
 * <p>A user of ADK is an owner in the store, and the session {@code trip} of the app {@code guide}
 * has the id {@code guide:trip} and the tag {@code app:guide}.
 */
public final class ClewSessionService implements BaseSessionService {
  private final SessionStore store;
  private final EventLog log;
  private final SessionStates states;
  private final SharedState shared;
  private final int maxEvents;
  private final boolean repair;

  private ClewSessionService(Builder builder) {
    this.store = builder.store;
    MessageFrame<Event> frame = new MessageFrame<>(new EventCodec(builder.agentName));
    this.states = new SessionStates(store, frame);
    this.log = new EventLog(frame, states, builder.staleCopies);
    this.shared = new SharedState(store.documents());
    this.maxEvents = builder.maxEvents;
    this.repair = builder.repair;
  }

  /** With default settings. */
  public static ClewSessionService of(SessionStore store) {
    return builder(store).build();
  }

  /** Settings of a service over this store. */
  public static Builder builder(SessionStore store) {
    return new Builder(store);
  }

  @Override
  @SuppressWarnings("deprecation") // the others call it
  public Single<Session> createSession(
      String appName,
      String userId,
      @Nullable ConcurrentMap<String, Object> state,
      @Nullable String sessionId) {
    return Single.fromCallable(
            () -> create(appName, userId, state == null ? Map.of() : state, sessionId))
        .subscribeOn(Schedulers.io());
  }

  private Session create(
      String app, String user, Map<String, Object> state, @Nullable String wanted) {
    String id = wanted == null || wanted.isBlank() ? UUID.randomUUID().toString() : wanted.strip();
    SharedState.check(state);
    Map<String, Object> own = SharedState.ofSession(state);
    SessionInfo info;
    try {
      info =
          session(app, user, id)
              .update(
                  SessionUpdate.none()
                      .tags(Set.of(AdkNames.tag(app)))
                      .metadata(SessionStates.metadata(UUID.randomUUID().toString(), own))
                      .expectVersion(0));
    } catch (ClewException.VersionConflict e) {
      throw new ClewException.VersionConflict(
          "session '"
              + id
              + "' of app '"
              + app
              + "' and user '"
              + user
              + "' exists already; use getSession, or delete it first");
    }
    shared.write(app, user, state);
    return copy(app, user, info, new EventLog.Events(List.of(), OptionalLong.empty()));
  }

  private StoredSession session(String app, String user, String id) {
    return store.session(AdkNames.session(app, user, id));
  }

  private Session copy(String app, String user, SessionInfo info, EventLog.Events events) {
    Map<String, Object> state = states.read(info, app);
    state.putAll(shared.read(app, user));
    Session copy = described(app, user, info, state, events.events());
    log.loaded(copy, events.tail());
    return copy;
  }

  private static Session described(
      String app, String user, SessionInfo info, Map<String, Object> state, List<Event> events) {
    return Session.builder(info.key().id().substring(AdkNames.prefix(app).length()))
        .appName(app)
        .userId(user)
        .state(new ConcurrentHashMap<>(state))
        .events(Collections.synchronizedList(new ArrayList<>(events)))
        .lastUpdateTime(info.updatedAt())
        .build();
  }

  @Override
  public Maybe<Session> getSession(
      String appName, String userId, String sessionId, Optional<GetSessionConfig> config) {
    return Maybe.fromCallable(() -> load(appName, userId, sessionId, config))
        .subscribeOn(Schedulers.io());
  }

  /** Null, which RxJava takes for nothing, if it does not exist. */
  private @Nullable Session load(
      String app, String user, String id, Optional<GetSessionConfig> config) {
    StoredSession session = session(app, user, id);
    SessionInfo info = session.info().orElse(null);
    if (info == null) {
      return null;
    }
    Optional<Integer> recent = config.flatMap(GetSessionConfig::numRecentEvents);
    int most = recent.orElse(Integer.MAX_VALUE);
    EventLog.Events read = log.newest(session, Math.min(maxEvents, most), most > maxEvents);
    List<Event> events = EventLog.lastTurns(read.events(), maxEvents);
    events = events.subList(Math.max(0, events.size() - most), events.size());
    Optional<Instant> after = config.flatMap(GetSessionConfig::afterTimestamp);
    if (after.isPresent()) {
      long from = after.get().toEpochMilli();
      events = events.stream().filter(event -> event.timestamp() >= from).toList();
    }
    if (repair) {
      events = UnansweredCalls.leftOut(events);
    }
    return copy(app, user, info, new EventLog.Events(events, read.tail()));
  }

  @Override
  public Single<ListSessionsResponse> listSessions(String appName, String userId) {
    return Single.fromCallable(() -> list(appName, userId)).subscribeOn(Schedulers.io());
  }

  private ListSessionsResponse list(String app, String user) {
    List<Session> sessions = new ArrayList<>();
    Map<String, Document> documents = states.documents(app, user);
    Map<String, Object> common = shared.read(app, user);
    SessionQuery query = SessionQuery.of(user).tag(AdkNames.tag(app)).limit(SessionQuery.MAX_LIMIT);
    for (SessionInfo info : query.walk(store::list)) {
      if (info.key().id().startsWith(AdkNames.prefix(app))) {
        String id = info.key().id().substring(AdkNames.prefix(app).length());
        Map<String, Object> state =
            states.read(info, documents.get(AdkNames.sessionState(app, id)));
        state.putAll(common);
        sessions.add(described(app, user, info, state, List.of()));
      }
    }
    return ListSessionsResponse.builder().sessions(sessions).build();
  }

  @Override
  public Completable deleteSession(String appName, String userId, String sessionId) {
    return Completable.fromAction(
            () -> {
              session(appName, userId, sessionId).delete();
              store.documents().delete(userId, AdkNames.sessionState(appName, sessionId));
            })
        .subscribeOn(Schedulers.io());
  }

  @Override
  public Single<ListEventsResponse> listEvents(String appName, String userId, String sessionId) {
    return Single.fromCallable(
            () -> {
              StoredSession session = session(appName, userId, sessionId);
              return ListEventsResponse.builder().events(log.all(session).events()).build();
            })
        .subscribeOn(Schedulers.io());
  }

  /**
   * Writes the event and its change of the state, and then adds both to the session object.
   *
   * @throws ClewException.VersionConflict if the copy is stale, see {@link StaleCopies}
   * @throws SessionNotFoundException if the session does not exist
   * @throws IllegalArgumentException if the state gets a value that cannot be written as JSON
   */
  @Override
  public Single<Event> appendEvent(Session session, Event event) {
    Objects.requireNonNull(session, "session");
    Objects.requireNonNull(event, "event");
    return Single.fromCallable(() -> append(session, event))
        .subscribeOn(Schedulers.io())
        .flatMap(appended -> added(session, appended));
  }

  /** The event, which is now in the session object too. */
  private Single<Event> added(Session copy, Event event) {
    List<Event> events = copy.events();
    synchronized (events) { // agents may run in parallel
      return events.stream().anyMatch(one -> event.id().equals(one.id()))
          ? Single.just(event)
          : BaseSessionService.super.appendEvent(copy, event);
    }
  }

  private Event append(Session copy, Event event) {
    if (event.partial().orElse(false)) {
      return event;
    }
    if (event.id() == null || event.id().isEmpty()) {
      event.setId(Event.generateEventId());
    }
    SharedState.check(SessionStates.delta(event));
    String app = copy.appName();
    log.append(session(app, copy.userId(), copy.id()), copy, event);
    shared.write(app, copy.userId(), SessionStates.delta(event));
    copy.lastUpdateTime(Instant.now());
    return event;
  }

  /** Settings of a service. Not thread-safe. */
  public static final class Builder {
    private final SessionStore store;
    private StaleCopies staleCopies = StaleCopies.REFUSE;
    private int maxEvents = Integer.MAX_VALUE;
    private boolean repair = true;
    private String agentName = "model";

    private Builder(SessionStore store) {
      this.store = Objects.requireNonNull(store, "store");
    }

    /** What happens to an event for a stale copy; refused by default. */
    public Builder staleCopies(StaleCopies value) {
      this.staleCopies = value;
      return this;
    }

    /**
     * How many of the newest events a session is loaded with; all by default. It begins with a
     * user's message, and the last turn is never cut.
     */
    public Builder maxEvents(int value) {
      if (value < 1) {
        throw new IllegalArgumentException("a session is loaded with at least 1 event");
      }
      this.maxEvents = value;
      return this;
    }

    /**
     * Whether a session is loaded without function calls that have no result, which models refuse;
     * true by default. They stay stored, and the calls of long-running tools are shown.
     */
    public Builder repair(boolean value) {
      this.repair = value;
      return this;
    }

    /**
     * The agent that is taken for the author of answers which other programs stored; {@code model}
     * by default. An agent is shown as context what others than itself said.
     */
    public Builder agentName(String value) {
      this.agentName = value;
      return this;
    }

    /** The service. */
    public ClewSessionService build() {
      return new ClewSessionService(this);
    }
  }
}
