/**
 * {@code clew sessions} and the commands that read or change single sessions: add, pop, undo,
 * search and stats.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.cli.session;
