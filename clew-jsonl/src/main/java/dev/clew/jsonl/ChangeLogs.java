package dev.clew.jsonl;

import dev.clew.SessionKey;
import dev.clew.kit.state.ChangeLog;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The change logs of the sessions that changed last. Thread-safe; each log is used under the lock
 * of its session.
 */
final class ChangeLogs {
  private static final int MAX = 4096;

  private final Map<SessionKey, ChangeLog> logs =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SessionKey, ChangeLog> eldest) {
          return size() > MAX;
        }
      };

  /** The log of a session that is at this version; a new one begins after it. */
  synchronized ChangeLog at(SessionKey key, long version, boolean isNew) {
    return logs.computeIfAbsent(key, same -> new ChangeLog(version, isNew));
  }

  synchronized @Nullable ChangeLog get(SessionKey key) {
    return logs.get(key);
  }

  /** Forgets an uncertain log; watchers of the session will have to reload it. */
  synchronized void drop(SessionKey key) {
    logs.remove(key);
  }
}
