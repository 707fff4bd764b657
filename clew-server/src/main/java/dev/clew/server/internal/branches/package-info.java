/** How a session continues differently from one of its items. */
@NullMarked
package dev.clew.server.internal.branches;

import org.jspecify.annotations.NullMarked;
