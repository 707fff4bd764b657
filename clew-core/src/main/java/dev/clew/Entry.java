package dev.clew;

import java.time.Instant;
import java.util.Map;

/**
 * An item in its place in a session. Immutable.
 *
 * @param position orders the items of a session; grows with appending, never reused
 * @param item the item
 * @param addedAt when it was added, here or where it was brought from; never orders anything
 * @param notes small facts beside the item, see {@link Draft}
 * @param compacted whether the item was replaced by a compaction and is shown on request only
 */
public record Entry(
    long position, Item item, Instant addedAt, Map<String, Object> notes, boolean compacted) {}
