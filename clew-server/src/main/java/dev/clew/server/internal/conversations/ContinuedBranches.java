package dev.clew.server.internal.conversations;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.clew.ClewException;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.kit.Family;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the branch that was added to the current one. Thread-safe. It remembers the versions at
 * which sessions were no older branches, so that who only adds causes no further reads.
 */
final class ContinuedBranches {
  private static final Logger LOG = LoggerFactory.getLogger(ContinuedBranches.class);
  private static final int MOST_KNOWN = 10_000;

  private final SessionStore store;
  private final Cache<SessionKey, Long> current =
      Caffeine.newBuilder().maximumSize(MOST_KNOWN).executor(Runnable::run).build();

  ContinuedBranches(SessionStore store) {
    this.store = store;
  }

  /** Whether nothing but this commit has happened since the session was no older branch. */
  boolean isCurrent(SessionKey key, Receipt receipt) {
    return current.asMap().replace(key, receipt.version() - 1, receipt.version());
  }

  /** Lists then show the branch. May wait for the store. */
  void makeCurrent(SessionKey key) {
    try {
      Optional<SessionInfo> info = store.session(key).info();
      if (info.filter(Family::isOlder).isPresent()) {
        new Family(store).makeCurrent(key);
      } else {
        info.ifPresent(known -> current.put(key, known.version()));
      }
    } catch (ClewException e) { // the items are added
      LOG.warn("could not make a branch the current one", e);
    }
  }
}
