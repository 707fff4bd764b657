package dev.clew.backup;

import java.nio.file.Path;

/**
 * What a backup wrote. Immutable.
 *
 * @param file where it is
 * @param head what backup it is
 * @param totals how much it restores to, the files it builds on included
 * @param written how many sessions are in this very file
 * @param failed how many sessions changed all the time and are not in it
 * @param unreadable how many damaged items of the store were left out
 * @param bytes how long the file is
 */
public record BackupReport(
    Path file,
    BackupHead head,
    BackupTotals totals,
    long written,
    long failed,
    long unreadable,
    long bytes) {
  /** Whether everything that the store has is in it. */
  public boolean isComplete() {
    return failed == 0 && unreadable == 0;
  }
}
