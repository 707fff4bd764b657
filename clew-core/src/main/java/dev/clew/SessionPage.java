package dev.clew;

import java.util.List;
import java.util.Optional;

/**
 * One page of a list of sessions. Immutable.
 *
 * @param sessions the sessions, in the order asked for
 * @param next the cursor of the next page; none when this is the last
 */
public record SessionPage(List<SessionInfo> sessions, Optional<String> next) {
  /** Makes the list unmodifiable. */
  public SessionPage {
    sessions = List.copyOf(sessions);
  }
}
