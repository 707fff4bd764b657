/** Regular work of a server: backups, retention, and readiness checks. */
@NullMarked
package dev.clew.server.internal.upkeep;

import org.jspecify.annotations.NullMarked;
