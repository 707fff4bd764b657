/** Authentication: tokens, the page's cookie, the sign-in link, and the gate that checks them. */
@NullMarked
package dev.clew.server.internal.auth;

import org.jspecify.annotations.NullMarked;
