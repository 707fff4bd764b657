package dev.clew.migrate;

import java.util.Map;

/**
 * What a migration did. Immutable. {@link MigrationListener} has the single sessions.
 *
 * @param sessions how many sessions there were of each kind
 * @param items how many items were moved, or would be
 * @param records how many documents were copied, or would be
 * @param refusedRecords how many documents the target has with other content
 * @param unreadable how many damaged items of the source were not copied
 */
public record MigrationReport(
    Map<SessionOutcome.Kind, Long> sessions,
    long items,
    long records,
    long refusedRecords,
    long unreadable) {
  /** Makes the map unmodifiable. */
  public MigrationReport {
    sessions = Map.copyOf(sessions);
  }

  /** How many sessions had this outcome. */
  public long count(SessionOutcome.Kind kind) {
    return sessions.getOrDefault(kind, 0L);
  }

  /** Whether everything that was to be moved is in the target. */
  public boolean isComplete() {
    return count(SessionOutcome.Kind.REFUSED) == 0
        && count(SessionOutcome.Kind.FAILED) == 0
        && refusedRecords == 0
        && unreadable == 0;
  }
}
