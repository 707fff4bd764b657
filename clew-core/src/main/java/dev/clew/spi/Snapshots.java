package dev.clew.spi;

import java.util.Optional;

/** A backend that can be read as it was at one moment while others keep writing. Thread-safe. */
public interface Snapshots {
  /**
   * A read-only view of the current state. It may keep the store from cleaning up, so close it
   * soon. Empty if snapshots are not available now, as for a database in memory.
   */
  Optional<Backend> snapshot();
}
