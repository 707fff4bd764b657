package dev.clew.server.internal.describe;

import dev.clew.ClewException;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Changes descriptions by what they are at that moment. Stateless. */
public final class Describing {
  private static final int ATTEMPTS = 50;

  private Describing() {}

  /**
   * Changes what is known of a session, again if somebody else changes it meanwhile. With its
   * version, so that a session that is deleted meanwhile does not come back.
   *
   * @param change an empty one leaves it as it is
   * @return the session afterwards; none if there is none
   */
  public static Optional<SessionInfo> change(
      SessionStore store, SessionKey key, Function<SessionInfo, Optional<SessionUpdate>> change) {
    for (int attempt = 1; ; attempt++) {
      Optional<SessionInfo> info = store.session(key).info();
      Optional<SessionUpdate> update = info.flatMap(change);
      if (update.isEmpty()) {
        return info;
      }
      try {
        return Optional.of(
            store.session(key).update(update.get().expectVersion(info.orElseThrow().version())));
      } catch (ClewException.VersionConflict e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** Gives a session a title that nobody has chosen. */
  public static SessionUpdate made(
      ServerMetadata remembered, Map<String, ?> metadata, String title) {
    return SessionUpdate.none().title(title).metadata(remembered.made(title).with(metadata));
  }

  /**
   * Takes the title away that nobody has chosen if nothing is left of what it was made from; one
   * that somebody chose stays.
   */
  public static void emptied(SessionStore store, SessionKey key) {
    change(store, key, info -> info.itemCount() == 0 ? withoutMadeTitle(info) : Optional.empty());
  }

  public static Optional<SessionUpdate> withoutMadeTitle(SessionInfo info) {
    ServerMetadata remembered = ServerMetadata.of(info);
    return remembered.isMade(info.title())
        ? Optional.of(
            SessionUpdate.none()
                .title("")
                .metadata(remembered.chosen().with(ServerMetadata.visible(info))))
        : Optional.empty();
  }
}
