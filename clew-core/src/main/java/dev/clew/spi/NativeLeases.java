package dev.clew.spi;

import dev.clew.Leases;

/**
 * A backend that stores leases itself. Thread-safe. Without it leases are documents, and a commit
 * checks its fence with {@code dev.clew.kit.DocumentLeases.fence}.
 */
public interface NativeLeases {
  /** The leases. Names, holders and times to live are already checked. */
  Leases leases();
}
