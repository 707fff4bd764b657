package dev.clew.spi;

import dev.clew.Entry;
import dev.clew.SessionKey;
import java.util.Optional;

/** A backend that removes the newest entry in one step. Thread-safe. */
public interface LastRemoval {
  /** Removes and returns the newest readable entry; damaged ones after it are quarantined. */
  Optional<Entry> removeLast(SessionKey key);
}
