/** What the server can do, told to programs and people. */
@NullMarked
package dev.clew.server.docs;

import org.jspecify.annotations.NullMarked;
