package dev.clew.spi;

import dev.clew.Entry;
import dev.clew.SessionKey;
import java.util.Optional;

/** A backend that removes the newest entry in one step. */
public interface LastRemoval {
  /** Removes the newest readable entry; damaged ones after it go to quarantine. */
  Optional<Entry> removeLast(SessionKey key);
}
