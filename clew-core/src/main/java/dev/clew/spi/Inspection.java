package dev.clew.spi;

import java.util.List;
import java.util.Optional;

/** Searches a store's raw storage for leftovers of an erasure. As thread-safe as the store. */
public interface Inspection {
  /**
   * What was searched, and what was found.
   *
   * @param places how many tables or keys
   * @param leftovers which of them still hold something, and how much
   */
  record Report(long places, List<String> leftovers) {}

  /**
   * Searches for an owner, or for one session of an owner. Numbers that a store keeps so that none
   * is reused are not leftovers.
   */
  Inspection.Report inspect(String owner, Optional<String> id);
}
