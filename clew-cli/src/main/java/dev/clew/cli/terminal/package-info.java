/**
 * Streams, text, colours, tables and progress bars, and the exit codes of the process. Knows no
 * command.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.cli.terminal;
