/** How much a caller may ask for. */
@NullMarked
package dev.clew.server.internal.limits;

import org.jspecify.annotations.NullMarked;
