package dev.clew.retention;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a run of the policies did. Immutable.
 *
 * @param examined how many sessions were examined
 * @param removed how many were removed, or would be
 * @param held how many stayed because of a legal hold
 * @param skipped how many stayed because they were changed or in use meanwhile
 * @param archive the archive file of the removed sessions
 * @param compressed what was compressed, or would be
 * @param powerless policies that compress, in a store that cannot
 * @param more whether there are more for another run
 */
public record RetentionReport(
    long examined,
    long removed,
    long held,
    long skipped,
    Optional<Path> archive,
    Compressed compressed,
    List<String> powerless,
    boolean more) {

  /**
   * What was compressed. Immutable.
   *
   * @param sessions how many sessions
   * @param before how many bytes they took
   * @param after how many they take now; as many as before if nothing was done
   */
  public record Compressed(long sessions, long before, long after) {}
}
