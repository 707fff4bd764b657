package dev.clew.kit;

import dev.clew.ClewException;
import dev.clew.SessionInfo;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.util.Optional;
import java.util.function.Function;

/** Changes the description of a session by what it is at that moment. Stateless. */
public final class SessionChange {
  private static final int ATTEMPTS = 50;

  private SessionChange() {}

  /**
   * Changes what is known of a session, again if somebody else changes it meanwhile. With its
   * version, so that a session that is deleted meanwhile does not come back.
   *
   * @param change an empty one leaves it as it is
   * @return the session afterwards; none if there is none
   */
  public static Optional<SessionInfo> change(
      StoredSession session, Function<SessionInfo, Optional<SessionUpdate>> change) {
    for (int attempt = 1; ; attempt++) {
      Optional<SessionInfo> info = session.info();
      Optional<SessionUpdate> update = info.flatMap(change);
      if (update.isEmpty()) {
        return info;
      }
      try {
        return Optional.of(
            session.update(update.get().expectVersion(info.orElseThrow().version())));
      } catch (ClewException.VersionConflict e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }
}
