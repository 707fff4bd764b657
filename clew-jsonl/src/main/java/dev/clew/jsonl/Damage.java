package dev.clew.jsonl;

import java.util.OptionalLong;

/**
 * A line that cannot be read. Immutable.
 *
 * @param position the position of its entry, as far as its neighbours tell
 * @param line the line as it is, a char for each byte
 */
record Damage(OptionalLong position, String line) {}
