/** How much a caller may ask for. Knows calls, and nothing of what they do. */
@NullMarked
package dev.clew.server.limits;

import org.jspecify.annotations.NullMarked;
