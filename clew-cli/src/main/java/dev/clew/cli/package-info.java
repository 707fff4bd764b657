/**
 * The {@code clew} command: its entry point, the tree of all commands, and what is made from that
 * tree (completion scripts and the man page). The commands are in the packages below, one for each
 * group.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.cli;
