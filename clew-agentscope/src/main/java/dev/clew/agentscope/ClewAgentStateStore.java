package dev.clew.agentscope;

import dev.clew.ClewException;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.Window;
import dev.clew.adapter.ByIdentity;
import dev.clew.adapter.Memories;
import dev.clew.adapter.Reading;
import dev.clew.adapter.SessionMemory;
import io.agentscope.core.message.Msg;
import io.agentscope.core.state.AgentState;
import io.agentscope.core.state.AgentStateStore;
import io.agentscope.core.state.State;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * States of agents in a store. Thread-safe; closes nothing, the store is closed by whoever opened
 * it.
 *
 * <pre>{@code
 * ReActAgent agent = ReActAgent.builder().name("guide").model(model)
 *     .stateStore(ClewAgentStateStore.of(store)).build();
 * }</pre>
 *
 * <p>The messages of an agent's context are the items of its session, the rest of the state is a
 * document that is written in the same commit. What several replicas add to one session is all
 * kept. A state that an agent made because its session could not be loaded adds its messages to the
 * session and replaces nothing.
 */
public final class ClewAgentStateStore implements AgentStateStore {
  private static final Logger LOG = LoggerFactory.getLogger(ClewAgentStateStore.class);
  private static final String AGENT_STATE = "agent_state";
  private static final String MESSAGES = "memory_messages";
  private static final MsgCodec CODEC = new MsgCodec();
  private static final String TAG = "agentscope";

  private final SessionStore store;
  private final String anonymous;
  private final Memories<Msg> memories;
  private final StateDocuments documents;
  private final ByIdentity<State, Saver> savers = new ByIdentity<>();
  private final Map<SessionKey, Integer> failedLoads = new ConcurrentHashMap<>();

  /**
   * What is known of a state object.
   *
   * @param key the session it belongs to
   * @param read what it had when it was loaded or saved last; null if it was not loaded
   * @param merges whether it was made without having seen the session
   * @param failed whether that is because loading failed
   */
  private record Saver(
      SessionKey key, @Nullable Reading<Msg> read, boolean merges, boolean failed) {}

  private ClewAgentStateStore(Builder builder) {
    this.store = builder.store;
    this.anonymous = builder.anonymous;
    Memories.Builder<Msg> settings = Memories.builder(store, CODEC).repair(builder.repair);
    Window window = builder.window;
    this.memories = (window == null ? settings : settings.window(window)).build();
    this.documents = new StateDocuments(store.documents());
  }

  /** With default settings. */
  public static ClewAgentStateStore of(SessionStore store) {
    return builder(store).build();
  }

  /** Settings of a state store over this store. */
  public static Builder builder(SessionStore store) {
    return new Builder(store);
  }

  private SessionKey key(@Nullable String user, String session) {
    return new SessionKey(user == null || user.isBlank() ? anonymous : user, session);
  }

  /** The session, which is created if it does not exist. */
  private StateDocuments.Slot existing(SessionKey key) {
    StoredSession session = store.session(key);
    SessionInfo info = session.info().orElse(null);
    if (info == null) {
      try {
        info = session.update(SessionUpdate.none().tags(Set.of(TAG)).expectVersion(0));
      } catch (ClewException.VersionConflict e) { // another replica was faster
        info = session.info().orElseThrow(() -> e);
      }
    }
    return StateDocuments.slot(info);
  }

  private Optional<StateDocuments.Slot> slot(SessionKey key) {
    return store.session(key).info().map(StateDocuments::slot);
  }

  @Override
  public void save(@Nullable String userId, String sessionId, String key, State value) {
    SessionKey session = key(userId, sessionId);
    if (key.equals(AGENT_STATE) && value instanceof AgentState state) {
      save(session, state);
    } else {
      documents.put(existing(session), key, StateJson.write(value));
    }
  }

  private void save(SessionKey key, AgentState state) {
    List<Msg> context = state.getContext(); // the agent goes on changing its own
    StateDocuments.Slot slot = existing(key);
    SessionMemory<Msg> memory = memories.memory(key);
    SessionMemory<Msg> both =
        memory.withDocument(
            StateDocuments.name(key, AGENT_STATE),
            StateDocuments.json(slot, StateJson.withoutContext(state)));
    Saver saver = savers.get(state);
    if (saver == null || !saver.key().equals(key)) {
      boolean failed = takeFailedLoad(key);
      saver = new Saver(key, null, failed || !knowsAny(context, memory), failed);
      savers.put(state, saver);
    }
    Reading<Msg> read = saver.read();
    if (read != null) {
      savers.put(state, new Saver(key, both.save(context, read), false, false));
    } else if (!saver.merges()) {
      both.saveFromAnyThread(context);
    } else if (saver.failed() && documents.get(slot, AGENT_STATE).isPresent()) {
      LOG.error(
          "session '{}' could not be loaded when its agent began a turn: the messages of the turn"
              + " are added to the session, and the rest of the stored state stays as it is",
          key.id());
      memory.merge(context);
    } else {
      both.merge(context);
    }
  }

  private boolean takeFailedLoad(SessionKey key) {
    boolean[] taken = new boolean[1];
    failedLoads.computeIfPresent(
        key,
        (same, count) -> {
          taken[0] = true;
          return count == 1 ? null : count - 1;
        });
    return taken[0];
  }

  private static boolean knowsAny(List<Msg> context, SessionMemory<Msg> memory) {
    Set<Optional<String>> ids = new HashSet<>();
    memory.read().messages().forEach(one -> ids.add(CODEC.id(one)));
    return context.stream().map(CODEC::id).anyMatch(id -> id.isPresent() && ids.contains(id));
  }

  @Override
  public void save(
      @Nullable String userId, String sessionId, String key, List<? extends State> values) {
    SessionKey session = key(userId, sessionId);
    if (!key.equals(MESSAGES)) {
      documents.put(existing(session), key, StateJson.write(values));
      return;
    }
    existing(session);
    List<Msg> messages = values.stream().map(Msg.class::cast).toList();
    SessionMemory<Msg> memory = memories.memory(session);
    if (takeFailedLoad(session)) {
      memory.merge(messages);
    } else if (messages.isEmpty() || knowsAny(messages, memory)) {
      memory.saveFromAnyThread(messages);
    } else {
      memory.merge(messages);
    }
  }

  @Override
  public <T extends State> Optional<T> get(
      @Nullable String userId, String sessionId, String key, Class<T> type) {
    SessionKey session = key(userId, sessionId);
    return loading(
        session,
        () ->
            key.equals(AGENT_STATE) && type == AgentState.class
                ? state(session, userId).map(type::cast)
                : slot(session)
                    .flatMap(slot -> documents.get(slot, key))
                    .map(json -> StateJson.read(json, type)));
  }

  /** Agents go on with an empty state if this fails; then what they save needs care. */
  private <T> T loading(SessionKey key, Supplier<T> load) {
    try {
      return load.get();
    } catch (RuntimeException e) {
      failedLoads.merge(key, 1, Integer::sum);
      throw e;
    }
  }

  private Optional<AgentState> state(SessionKey key, @Nullable String user) {
    Optional<StateDocuments.Slot> slot = slot(key);
    if (slot.isEmpty()) {
      return Optional.empty();
    }
    Optional<String> rest = documents.get(slot.get(), AGENT_STATE);
    Reading<Msg> read = memories.memory(key).read();
    if (rest.isEmpty() && read.messages().isEmpty()) {
      return Optional.empty();
    }
    AgentState state =
        rest.map(json -> StateJson.read(json, AgentState.class))
            .orElseGet(() -> AgentState.builder().sessionId(key.id()).userId(user).build());
    state.contextMutable().addAll(read.messages());
    savers.put(state, new Saver(key, read, false, false));
    return Optional.of(state);
  }

  @Override
  public <T extends State> List<T> getList(
      @Nullable String userId, String sessionId, String key, Class<T> itemType) {
    SessionKey session = key(userId, sessionId);
    return loading(
        session,
        () ->
            key.equals(MESSAGES)
                ? memories.memory(session).read().messages().stream().map(itemType::cast).toList()
                : slot(session)
                    .flatMap(slot -> documents.get(slot, key))
                    .map(json -> StateJson.readList(json, itemType))
                    .orElse(List.of()));
  }

  @Override
  public boolean exists(@Nullable String userId, String sessionId) {
    return store.session(key(userId, sessionId)).info().isPresent();
  }

  @Override
  public void delete(@Nullable String userId, String sessionId) {
    SessionKey session = key(userId, sessionId);
    memories.memory(session).clear();
    documents.delete(session);
    failedLoads.remove(session);
  }

  /** Deletes one state. Messages stay in the history of the session, and the agent forgets them. */
  @Override
  public void delete(@Nullable String userId, String sessionId, String key) {
    SessionKey session = key(userId, sessionId);
    if (key.equals(AGENT_STATE) || key.equals(MESSAGES)) {
      SessionMemory<Msg> memory = memories.memory(session);
      memory.save(List.of(), memory.read());
    }
    documents.delete(session, key);
  }

  /** The ids of all sessions of the user, whichever program wrote them. */
  @Override
  public Set<String> listSessionIds(@Nullable String userId) {
    String owner = userId == null || userId.isBlank() ? anonymous : userId;
    Set<String> ids = new LinkedHashSet<>();
    SessionQuery query = SessionQuery.of(owner).limit(SessionQuery.MAX_LIMIT);
    query.walk(store::list).forEach(info -> ids.add(info.key().id()));
    return ids;
  }

  /** Settings of a state store. Not thread-safe. */
  public static final class Builder {
    private final SessionStore store;
    private String anonymous = SessionKey.DEFAULT_OWNER;
    private boolean repair = true;
    private @Nullable Window window;

    private Builder(SessionStore store) {
      this.store = Objects.requireNonNull(store, "store");
    }

    /** Whose the sessions without a user are; the default owner's by default. */
    public Builder anonymous(String owner) {
      SessionKey.checkOwner(owner);
      this.anonymous = owner;
      return this;
    }

    /** Loads the newest turns of a session only; all of it by default. */
    public Builder turns(int count) {
      return window(Window.lastTurns(count));
    }

    /** Loads what a window reads of a session only; all of it by default. */
    public Builder window(Window value) {
      this.window = value;
      return this;
    }

    /** See {@link Memories.Builder#repair}. */
    public Builder repair(boolean value) {
      this.repair = value;
      return this;
    }

    /** The state store. */
    public ClewAgentStateStore build() {
      return new ClewAgentStateStore(this);
    }
  }
}
