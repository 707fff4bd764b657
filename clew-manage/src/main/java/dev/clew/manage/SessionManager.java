package dev.clew.manage;

import dev.clew.Item;
import dev.clew.Part;
import dev.clew.Role;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The sessions of a chat bot, by keys {@code {platform}:{id}}, over any store. Thread-safe; create
 * one and share it.
 *
 * <pre>{@code
 * SessionManager sessions = new SessionManager(store);
 * sessions.addMessage("feishu:oc_xxx", "user", "Hello");
 * sessions.addMessage("feishu:oc_xxx", "assistant", "Hi!");
 * List<ChatMessage> history = sessions.getMessages("feishu:oc_xxx", 20);
 * }</pre>
 *
 * <p>Everything is written through: a message is as durable as the store declares when {@link
 * #addMessage} returns, {@link #save} has nothing left to write, and {@link #unload} loses nothing.
 * The manager keeps handles of recently used sessions; the store caches their messages, correctly
 * even if other processes write to the same sessions. The caller owns the store and closes it.
 */
public final class SessionManager {
  /** The most messages that {@link #getMessages(String)} returns. */
  public static final int DEFAULT_MESSAGES = 20;

  /** How many handles are kept by default. */
  public static final int DEFAULT_CACHED = 1000;

  private final SessionStore store;
  private final String owner;
  private final Clock clock;
  private final Recent<String, ChatSession> cache;

  /** Sessions of the default owner. */
  public SessionManager(SessionStore store) {
    this(store, SessionKey.DEFAULT_OWNER, DEFAULT_CACHED, Clock.systemUTC());
  }

  /**
   * Sessions of one owner.
   *
   * @param maxCached how many handles are kept, which is the most that {@link #getAllSessions}
   *     returns
   * @param clock the clock for the age of sessions; preferably that of the store
   */
  public SessionManager(SessionStore store, String owner, int maxCached, Clock clock) {
    SessionKey.checkOwner(owner);
    this.store = Objects.requireNonNull(store, "store");
    this.owner = owner;
    this.clock = clock;
    this.cache = new Recent<>(maxCached);
  }

  /**
   * The session of a key. If it does not exist, it is stored with its first message, its first
   * metadata or {@link #save}.
   */
  public ChatSession getOrCreate(String key) {
    return cache.get(key, id -> new ChatSession(store.session(new SessionKey(owner, id)), clock));
  }

  /**
   * Adds a message; it is stored when this returns.
   *
   * @param role {@code user}, {@code assistant} or {@code system}
   */
  public void addMessage(String key, String role, String content) {
    addMessage(
        key,
        Role.of(role)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "there is no role '" + role + "'; use user, assistant or system")),
        content);
  }

  /** Adds a message; it is stored when this returns. */
  public void addMessage(String key, Role role, String content) {
    Part part = role == Role.ASSISTANT ? Part.outputText(content) : Part.inputText(content);
    getOrCreate(key).stored().addItems(List.of(Item.message(role, List.of(part))));
  }

  /** The newest 20 messages from user and assistant, oldest first. */
  public List<ChatMessage> getMessages(String key) {
    return getMessages(key, DEFAULT_MESSAGES);
  }

  /**
   * The newest messages from user and assistant, oldest first; those of the system do not count.
   */
  public List<ChatMessage> getMessages(String key, int maxMessages) {
    if (maxMessages < 0) {
      throw new IllegalArgumentException("maxMessages must not be negative: " + maxMessages);
    }
    return getOrCreate(key).newest(maxMessages);
  }

  /** Stores the session if it is empty and new; everything else is stored already. */
  public void save(ChatSession session) {
    // Messages and notes are stored already; what can be missing is the session itself.
    if (session.stored().info().isEmpty()) {
      session.stored().update(SessionUpdate.none());
    }
  }

  /**
   * Removes the messages, compacted ones too, and keeps the session with its metadata. A title that
   * a server made from the first message is removed too. In a JSONL folder the text is gone from
   * the files when this returns; see {@link dev.clew.Session#clearSession} for other stores.
   */
  public void clear(String key) {
    store.session(new SessionKey(owner, key)).replaceHistory(List.of());
  }

  /** Forgets the handle; the session stays stored. */
  public void unload(String key) {
    cache.forget(key);
  }

  /** The recently used sessions. */
  public List<ChatSession> getAllSessions() {
    return cache.all();
  }

  /** Deletes the session with everything in it; returns whether it existed. */
  public boolean delete(String key) {
    boolean deleted = store.session(new SessionKey(owner, key)).delete();
    cache.forget(key);
    return deleted;
  }

  /**
   * All stored sessions, newest-updated first. With very many sessions, page through {@link
   * SessionStore#list} instead.
   */
  public List<SessionInfo> listSessions() {
    SessionQuery query = SessionQuery.of(owner).limit(SessionQuery.MAX_LIMIT);
    List<SessionInfo> all = new ArrayList<>();
    query.walk(store::list).forEach(all::add);
    return List.copyOf(all);
  }

  /** Removes the sessions whose messages have not changed for that long; returns how many. */
  public int cleanup(Duration maxAge) {
    return OldSessions.remove(store, owner, maxAge, clock, key -> cache.forget(key.id()));
  }
}
