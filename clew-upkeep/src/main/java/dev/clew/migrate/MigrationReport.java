package dev.clew.migrate;

import java.util.Map;

/**
 * What a migration did. Immutable. Single sessions are told to {@link MigrationListener}.
 *
 * @param sessions how many sessions there were of each kind
 * @param items how many items were moved, or would be
 * @param records how many documents beside the sessions were moved, or would be
 * @param refusedRecords how many documents the target has with another content
 * @param unreadable how many damaged records of the source were left behind
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
