/** Small helpers that know nothing of the server. */
@NullMarked
package dev.clew.server.internal.base;

import org.jspecify.annotations.NullMarked;
