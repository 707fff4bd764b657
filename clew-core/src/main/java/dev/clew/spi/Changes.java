package dev.clew.spi;

import dev.clew.SessionEvent;
import java.util.List;

/**
 * What happened to a session after a version. Immutable.
 *
 * @param events in order; {@link SessionEvent.Reload} if they are no longer known one by one
 * @param version the version after them
 * @param more whether there may be more right away
 */
public record Changes(List<SessionEvent> events, long version, boolean more) {
  /** Changes after which there are no more. */
  public Changes(List<SessionEvent> events, long version) {
    this(events, version, false);
  }
}
