/** Limits for callers. */
@NullMarked
package dev.clew.server.internal.limits;

import org.jspecify.annotations.NullMarked;
