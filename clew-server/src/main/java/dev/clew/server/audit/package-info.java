/** Who did what that matters afterwards, kept in the store; and a line in the log for each call. */
@NullMarked
package dev.clew.server.audit;

import org.jspecify.annotations.NullMarked;
