/** Titles, and what the server keeps in a session's metadata. */
@NullMarked
package dev.clew.server.internal.describe;

import org.jspecify.annotations.NullMarked;
