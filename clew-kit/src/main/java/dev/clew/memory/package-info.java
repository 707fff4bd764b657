/**
 * The in-memory store: the whole contract without a file, for tests and short-lived programs. Uses
 * {@code dev.clew} only.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.memory;
