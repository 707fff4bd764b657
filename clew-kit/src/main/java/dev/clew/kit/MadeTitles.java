package dev.clew.kit;

import dev.clew.SessionInfo;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Titles that a server made from the first message, and that are removed with it. Stateless. The
 * mark of such a title is in the session's metadata:
 *
 * <pre>{@code
 * {"@clew": {"title": "8e3f…"}}
 * }</pre>
 */
public final class MadeTitles {
  /** The key of the server's part of a session's metadata. */
  public static final String KEY = "@clew";

  private static final String TITLE = "title";

  private MadeTitles() {}

  /** The mark of such a title, which a renamed session no longer matches. */
  public static String mark(String title) {
    return Sha256.brief(title);
  }

  /** Removes such a title if the session has no items; a chosen one stays. */
  public static void removeIfEmpty(StoredSession session) {
    SessionChange.change(session, info -> info.itemCount() == 0 ? without(info) : Optional.empty());
  }

  /** Removes such a title; a chosen one stays. */
  public static void remove(StoredSession session) {
    SessionChange.change(session, MadeTitles::without);
  }

  private static Optional<SessionUpdate> without(SessionInfo info) {
    if (!(info.metadata().get(KEY) instanceof Map<?, ?> kept)
        || info.title().isEmpty()
        || !mark(info.title()).equals(kept.get(TITLE))) {
      return Optional.empty();
    }
    Map<Object, Object> rest = new LinkedHashMap<>(kept);
    rest.remove(TITLE);
    Map<String, Object> metadata = new LinkedHashMap<>(info.metadata());
    metadata.remove(KEY);
    if (!rest.isEmpty()) {
      metadata.put(KEY, rest);
    }
    return Optional.of(SessionUpdate.none().title("").metadata(metadata));
  }
}
