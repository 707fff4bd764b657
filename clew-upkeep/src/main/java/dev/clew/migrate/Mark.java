package dev.clew.migrate;

import dev.clew.SessionInfo;
import dev.clew.SessionUpdate;
import java.util.Map;

/**
 * How a session of the target looks while it is not complete. Stateless.
 *
 * <p>It is archived, so that lists leave it out, says in its title what it is, and has the key
 * {@code clew.migration} among its metadata. All of that is replaced by what the source says in one
 * change, when the copy has been verified.
 */
final class Mark {
  private static final String KEY = "clew.migration";
  private static final String TITLE = "unfinished migration: ";
  private static final int LONGEST_TITLE = 1000;

  private Mark() {}

  static boolean isOn(SessionInfo info) {
    return info.metadata().containsKey(KEY);
  }

  static SessionUpdate put(SessionInfo source) {
    String title = TITLE + source.title();
    if (title.codePointCount(0, title.length()) > LONGEST_TITLE / 2) {
      title = title.substring(0, title.offsetByCodePoints(0, LONGEST_TITLE / 2));
    }
    return SessionUpdate.none()
        .title(title)
        .metadata(Map.of(KEY, "unfinished; run the same command again to complete it"))
        .archived(true)
        .times(source.createdAt(), source.updatedAt());
  }

  /** The description of the source, which takes the mark away. */
  static SessionUpdate replace(SessionInfo source) {
    SessionUpdate update =
        SessionUpdate.none()
            .title(source.title())
            .metadata(source.metadata())
            .tags(source.tags())
            .archived(source.archived())
            .pinned(source.pinned())
            .times(source.createdAt(), source.updatedAt());
    return source.timeToLive().map(update::timeToLive).orElse(update);
  }

  /** Whether a copy of the session has to be described at all. */
  static boolean isNeeded(SessionInfo source) {
    return !isBlank(source) || source.timeToLive().isPresent();
  }

  /** Whether a copy that nobody has described yet lacks what the source says. */
  static boolean isMissing(SessionInfo copy, SessionInfo source) {
    boolean lifeMissing =
        source.timeToLive().isPresent() && !source.timeToLive().equals(copy.timeToLive());
    return isBlank(copy) && (!isBlank(source) || lifeMissing);
  }

  private static boolean isBlank(SessionInfo info) {
    return info.title().isEmpty()
        && info.metadata().isEmpty()
        && info.tags().isEmpty()
        && !info.archived()
        && !info.pinned();
  }
}
