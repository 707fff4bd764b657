/** What administrators see and do: tokens, owners, the audit log, reading what is not theirs. */
@NullMarked
package dev.clew.server.internal.admin;

import org.jspecify.annotations.NullMarked;
