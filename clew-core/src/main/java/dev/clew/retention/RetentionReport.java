package dev.clew.retention;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What a run of the policies did. Immutable.
 *
 * @param examined how many sessions were looked at
 * @param removed how many were removed, or would be
 * @param held how many stayed because of a legal hold
 * @param skipped how many stayed because they were changed or in use meanwhile
 * @param archive where those removed were written before
 * @param more whether there are more for another run
 */
public record RetentionReport(
    long examined, long removed, long held, long skipped, Optional<Path> archive, boolean more) {}
