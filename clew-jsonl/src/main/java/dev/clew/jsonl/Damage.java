package dev.clew.jsonl;

import java.util.OptionalLong;

/**
 * A line that cannot be read. Immutable.
 *
 * @param position the position of its entry, if the lines around it show it
 * @param line its bytes, each as a char
 */
record Damage(OptionalLong position, String line) {}
