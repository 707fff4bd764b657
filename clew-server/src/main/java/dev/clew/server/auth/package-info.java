/** Who calls: tokens, the page's cookie, the sign-in link. Used by the rest of the server. */
@NullMarked
package dev.clew.server.auth;

import org.jspecify.annotations.NullMarked;
