/** What runs say while they go on, kept so that a reader can come back, at any server. */
@NullMarked
package dev.clew.server.runs;

import org.jspecify.annotations.NullMarked;
