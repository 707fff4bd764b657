package dev.clew.spi;

import dev.clew.Leases;

/**
 * A backend that keeps leases itself. Without it they are kept as documents, and a commit checks
 * its fence with {@code dev.clew.kit.DocumentLeases.fence}.
 */
public interface NativeLeases {
  /** The leases. Names, holders and times to live were checked. */
  Leases leases();
}
