package dev.clew.spi;

import java.util.Optional;

/** A backend that can be read as it was at one moment while others go on writing. */
public interface Snapshots {
  /**
   * Everything as it is now, for reading only. It may keep the store from tidying up: close it
   * soon. Empty if there are none in this state, as for a database in memory.
   */
  Optional<Backend> snapshot();
}
