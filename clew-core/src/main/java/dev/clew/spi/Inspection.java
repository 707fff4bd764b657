package dev.clew.spi;

import java.util.List;
import java.util.Optional;

/**
 * A store that can be looked into below what it offers, for what an erasure left. As thread-safe as
 * the store.
 */
public interface Inspection {
  /**
   * What was looked into, and what was found.
   *
   * @param places how many tables or keys
   * @param leftovers which of them still have something, and how much
   */
  record Report(long places, List<String> leftovers) {}

  /**
   * Looks for an owner, or for one session of hers. Numbers that a store keeps so that none is used
   * twice are no leftovers.
   */
  Inspection.Report inspect(String owner, Optional<String> id);
}
