package dev.clew.kit;

import dev.clew.SessionInfo;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.util.Optional;
import java.util.function.Function;

/** Changes the description of a session depending on its current state. Stateless. */
public final class SessionChange {
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
    return Contended.repeat(
        () -> {
          Optional<SessionInfo> info = session.info();
          Optional<SessionUpdate> update = info.flatMap(change);
          return update.isEmpty()
              ? info
              : Optional.of(
                  session.update(update.get().expectVersion(info.orElseThrow().version())));
        });
  }
}
