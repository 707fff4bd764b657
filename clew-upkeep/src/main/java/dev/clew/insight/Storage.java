package dev.clew.insight;

import dev.clew.SessionInfo;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.json.JsonObject;
import java.util.Optional;

/**
 * What is kept for an owner. Immutable.
 *
 * @param partial whether there is more than was counted
 */
public record Storage(long sessions, long items, long bytes, boolean partial) {
  /**
   * Counts.
   *
   * @param mostPages after how many thousand sessions to stop
   */
  public static Storage of(SessionStore store, String owner, int mostPages) {
    long sessions = 0;
    long items = 0;
    long bytes = 0;
    Optional<String> next = Optional.empty();
    int pages = 0;
    do {
      SessionQuery query = SessionQuery.of(owner).limit(SessionQuery.MAX_LIMIT);
      SessionPage page = store.list(next.map(query::cursor).orElse(query));
      for (SessionInfo info : page.sessions()) {
        sessions++;
        items += info.itemCount();
        bytes += info.bytes();
      }
      next = page.next();
    } while (next.isPresent() && ++pages < mostPages);
    return new Storage(sessions, items, bytes, next.isPresent());
  }

  /** The fields, behind others. */
  public JsonObject fields(JsonObject into) {
    return into.put("sessions", sessions)
        .put("items", items)
        .put("bytes", bytes)
        .put("partial", partial);
  }
}
