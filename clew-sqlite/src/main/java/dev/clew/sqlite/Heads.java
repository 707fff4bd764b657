package dev.clew.sqlite;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sessions as they were after our last append, so that the next append need not read them.
 * Thread-safe.
 *
 * <p>These are guesses, because another process may have written since. An append names the version
 * in its statement, and so notices a wrong guess.
 */
final class Heads {
  private static final int MOST = 4_096;

  private final Map<String, SessionHead> heads =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, SessionHead> eldest) {
          return size() > MOST;
        }
      };

  synchronized @Nullable SessionHead guess(String id) {
    return heads.get(id);
  }

  /** Called after a commit that set a time to live: its expiry has to be read from now on. */
  synchronized void forget(String id) {
    heads.remove(id);
  }

  /** Called after a commit, in any order within a batch. */
  synchronized void committed(String id, SessionHead head) {
    if (head.expires() != Long.MAX_VALUE) {
      heads.remove(id); // its expiry has to be read each time
      return;
    }
    SessionHead other = heads.get(id);
    if (other == null || other.version() < head.version()) {
      heads.put(id, head);
    }
  }
}
