package dev.clew.kit;

import dev.clew.ClewException;
import dev.clew.SessionInfo;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.util.Optional;
import java.util.function.Function;

/** Changes the description of a session depending on its current state. Stateless. */
public final class SessionChange {
  private static final int ATTEMPTS = 50;

  private SessionChange() {}

  /**
   * Reads and updates a session, and repeats that on a conflict. The update expects the version, so
   * that a session that was deleted in between is not created again.
   *
   * @param change returns the update, or empty to leave the session as it is
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
