/**
 * What goes on while a model answers, and what is left of it: the events of runs, kept so that a
 * reader can come back at any server, the usage of each owner, and the titles that models write.
 */
@NullMarked
package dev.clew.server.internal.runs;

import org.jspecify.annotations.NullMarked;
