/**
 * Sessions in the memory of a process: history, compacted items, description, change log and the
 * rules for changing them; also leases and documents. For stores that hold whole sessions in
 * memory, such as {@code dev.clew.memory} and {@code dev.clew.jsonl}.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.kit.state;
