/**
 * What administrators see and do: tokens, owners, the audit log, reading other owners' sessions.
 */
@NullMarked
package dev.clew.server.internal.admin;

import org.jspecify.annotations.NullMarked;
