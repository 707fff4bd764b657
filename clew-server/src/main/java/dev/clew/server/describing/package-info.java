/**
 * What stands on a session beside its items: its title, and what the server itself remembers of it.
 */
@NullMarked
package dev.clew.server.describing;

import org.jspecify.annotations.NullMarked;
