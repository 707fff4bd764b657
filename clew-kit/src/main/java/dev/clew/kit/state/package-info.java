/**
 * Sessions in the memory of a process, with their history, change log and operations, and indexes
 * of them; also leases and documents. For {@code dev.clew.memory} and {@code dev.clew.jsonl}.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.kit.state;
