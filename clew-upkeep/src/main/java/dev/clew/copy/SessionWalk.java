package dev.clew.copy;

import dev.clew.SessionInfo;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Goes through the sessions of one owner, the least recently updated first, so that none is missed
 * that is updated meanwhile. Not thread-safe.
 *
 * <p>Stores list the newest first. The pages are counted once, keeping where each begins, and then
 * read from the last to the first; a session that is updated meanwhile moves to a page that is
 * still to come.
 */
public final class SessionWalk {
  private static final int PAGE = 500;

  private final SessionStore store;
  private final SessionQuery query;
  private final List<Optional<String>> pages = new ArrayList<>();
  private long sessions;
  private long items;

  /** Counts the sessions, all or those updated since. */
  public SessionWalk(SessionStore store, String owner, Optional<Instant> since) {
    this.store = store;
    SessionQuery all = SessionQuery.of(owner).limit(PAGE);
    // Sessions updated at that very moment belong to it too.
    this.query = since.map(time -> all.updatedAfter(time.minusMillis(1))).orElse(all);
    Optional<String> next = Optional.empty();
    do {
      pages.add(next);
      SessionPage page = page(next);
      sessions += page.sessions().size();
      items += page.sessions().stream().mapToLong(SessionInfo::itemCount).sum();
      next = page.next();
    } while (next.isPresent());
  }

  private SessionPage page(Optional<String> cursor) {
    return store.list(cursor.map(query::cursor).orElse(query));
  }

  /** How many there were when they were counted. */
  public long sessions() {
    return sessions;
  }

  /** How many items they had. */
  public long items() {
    return items;
  }

  /** Calls for each, oldest first. */
  public void forEach(Consumer<SessionInfo> action) {
    for (int i = pages.size() - 1; i >= 0; i--) {
      List<SessionInfo> page = page(pages.get(i)).sessions();
      for (int k = page.size() - 1; k >= 0; k--) {
        action.accept(page.get(k));
      }
    }
  }
}
