/** The in-memory store: the whole contract without a file, for tests and short-lived programs. */
@org.jspecify.annotations.NullMarked
package dev.clew.memory;
