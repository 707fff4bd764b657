package dev.clew.sqlite;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What sessions looked like after our own last append to them, so that the next one need not read
 * it. Thread-safe.
 *
 * <p>It is a guess: somebody else may have written since. A version says all of a head, so an
 * append that names the version in its statement finds out whether the guess was right.
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

  /** After a commit that set a time to live: the end has to be looked at from now on. */
  synchronized void forget(String id) {
    heads.remove(id);
  }

  /** After a commit; those who wrote in one batch come in any order. */
  synchronized void committed(String id, SessionHead head) {
    if (head.expires() != Long.MAX_VALUE) {
      heads.remove(id); // its end has to be looked at each time
      return;
    }
    SessionHead other = heads.get(id);
    if (other == null || other.version() < head.version()) {
      heads.put(id, head);
    }
  }
}
