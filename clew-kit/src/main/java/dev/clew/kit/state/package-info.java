/**
 * What a session is while a process holds it: its history, archive, description, change log and the
 * rules of changing them; leases and records likewise. Used by the stores that keep sessions in
 * this process, {@code dev.clew.memory} and {@code dev.clew.jsonl}.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.kit.state;
