package dev.clew.manage;

import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The sessions of many users, one for each type of conversation. Thread-safe.
 *
 * <pre>{@code
 * UserSessions users = new UserSessions(store);
 * Session chat = users.getSession("user_001");
 * Session work = users.getSession("user_001", "work");
 * }</pre>
 *
 * <p>The user is the owner and the type is the id, so no two users can ever share a session.
 * Handles own no resources: {@link #close(String, String)} only forgets one, and the caller owns
 * the store.
 */
public final class UserSessions implements AutoCloseable {
  /** The type of conversation when none is named. */
  public static final String DEFAULT_TYPE = "default";

  /** The age at which {@link #cleanup()} removes a session. */
  public static final Duration DEFAULT_AGE = Duration.ofDays(30);

  private static final int MOST_ACTIVE = 10_000;

  private final SessionStore store;
  private final Clock clock;
  private final Recent<SessionKey, StoredSession> active = new Recent<>(MOST_ACTIVE);

  /** Users of this store. */
  public UserSessions(SessionStore store) {
    this(store, Clock.systemUTC());
  }

  /** Users of this store; the clock measures the age of sessions, preferably that of the store. */
  public UserSessions(SessionStore store, Clock clock) {
    this.store = Objects.requireNonNull(store, "store");
    this.clock = clock;
  }

  /** The user's session of the default type. */
  public StoredSession getSession(String user) {
    return getSession(user, DEFAULT_TYPE);
  }

  /** The user's session of a type; it is created when something is added to it. */
  public StoredSession getSession(String user, String type) {
    return active.get(new SessionKey(user, type), store::session);
  }

  /** The sessions in use, at most the 10,000 used last. */
  public List<StoredSession> active() {
    return active.all();
  }

  /**
   * Forgets the handle of the user's session of the default type; returns whether there was one.
   */
  public boolean close(String user) {
    return close(user, DEFAULT_TYPE);
  }

  /** Forgets the handle of a session; returns whether there was one. */
  public boolean close(String user, String type) {
    return active.forget(new SessionKey(user, type));
  }

  /** Forgets all handles. */
  public void closeAll() {
    active.forgetAll();
  }

  /** The same as {@link #closeAll}. */
  @Override
  public void close() {
    closeAll();
  }

  /** Removes the sessions of all users that have not changed for 30 days; returns how many. */
  public int cleanup() {
    return cleanup(DEFAULT_AGE);
  }

  /** Removes the sessions of all users that have not changed for that long; returns how many. */
  public int cleanup(Duration maxAge) {
    int removed = 0;
    List<String> users = store.owners(Optional.empty(), SessionQuery.MAX_LIMIT);
    while (!users.isEmpty()) {
      for (String user : users) {
        removed += OldSessions.remove(store, user, maxAge, clock, active::forget);
      }
      users = store.owners(Optional.of(users.get(users.size() - 1)), SessionQuery.MAX_LIMIT);
    }
    return removed;
  }
}
