package dev.clew.manage;

import dev.clew.ClewException;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Removes sessions that were not updated for a time. Stateless.
 *
 * <p>A session is not deleted. It gets a short time to live, on the condition that it has not
 * changed since it was listed, and expires at once. So a message that arrives at the same moment is
 * never deleted with the old ones.
 */
final class OldSessions {
  private static final Duration SHORTEST_LIFE = Duration.ofMillis(1);
  private static final int SWEEP = 500;

  private OldSessions() {}

  /** Removes those of one owner; returns how many. */
  static int remove(
      SessionStore store,
      String owner,
      Duration maxAge,
      Clock clock,
      Consumer<SessionKey> removed) {
    if (maxAge.isNegative()) {
      throw new IllegalArgumentException("an age is not negative: " + maxAge);
    }
    SessionQuery query =
        SessionQuery.of(owner)
            .limit(SessionQuery.MAX_LIMIT)
            .updatedBefore(clock.instant().minus(maxAge));
    Duration life = maxAge.compareTo(SHORTEST_LIFE) < 0 ? SHORTEST_LIFE : maxAge;
    int count = 0;
    for (SessionInfo info : query.walk(store::list)) {
      if (expire(store, info, life)) {
        removed.accept(info.key());
        count++;
      }
    }
    sweep(store, count);
    return count;
  }

  private static boolean expire(SessionStore store, SessionInfo info, Duration life) {
    try {
      store
          .session(info.key())
          .update(SessionUpdate.none().timeToLive(life).expectVersion(info.version()));
      return true;
    } catch (ClewException.VersionConflict | ClewException.OnHold e) {
      return false; // it is in use again, or on legal hold
    }
  }

  /** The store sweeps by itself, but callers expect the space to be free. */
  private static void sweep(SessionStore store, int expired) {
    for (int left = expired; left > 0; left -= SWEEP) {
      if (store.sweep(SWEEP) == 0) {
        return;
      }
    }
  }
}
