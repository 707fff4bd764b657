/**
 * The {@code clew} command: one class for each command, and what they share to talk to a person or
 * a script. Uses {@code dev.clew} and opens stores by URL only; nothing uses this package.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.cli;
