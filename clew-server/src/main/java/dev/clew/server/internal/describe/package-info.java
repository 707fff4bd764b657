/** What a session is called, and what the server keeps in the session's metadata. */
@NullMarked
package dev.clew.server.internal.describe;

import org.jspecify.annotations.NullMarked;
