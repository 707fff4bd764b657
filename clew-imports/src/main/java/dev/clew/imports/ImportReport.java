package dev.clew.imports;

import java.util.List;
import java.util.Map;

/**
 * What an {@link Import} did. Immutable.
 *
 * @param sessions how many sessions had each outcome
 * @param items how many items were written, or would be
 * @param losses what could not be imported
 */
public record ImportReport(Map<Outcome, Long> sessions, long items, List<Losses.Loss> losses) {
  /** Makes the collections unmodifiable. */
  public ImportReport {
    sessions = Map.copyOf(sessions);
    losses = List.copyOf(losses);
  }

  /** What became of one conversation. */
  public enum Outcome {
    /** It is a new session, or would be. */
    IMPORTED,
    /** The session existed, and what was said since was added. */
    CONTINUED,
    /** The session has all of it already. */
    ALREADY_THERE,
    /** There is another session of that name, which stays as it is. */
    REFUSED
  }

  /** How many sessions came to an outcome. */
  public long count(Outcome outcome) {
    return sessions.getOrDefault(outcome, 0L);
  }
}
