package dev.clew;

import java.time.Instant;
import java.util.Map;

/**
 * An item at its position in a session. Immutable.
 *
 * @param position orders the items of a session; grows with appending, never reused
 * @param item the item
 * @param addedAt when it was added, here or where it was imported from; never used for ordering
 * @param notes small facts about the item, see {@link Draft}
 * @param compacted whether a compaction replaced the item; such items are read only on request
 */
public record Entry(
    long position, Item item, Instant addedAt, Map<String, Object> notes, boolean compacted) {}
