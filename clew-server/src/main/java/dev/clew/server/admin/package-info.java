/** What administrators see and do: tokens, owners, what is kept for how long. */
@NullMarked
package dev.clew.server.admin;

import org.jspecify.annotations.NullMarked;
