/** The page, its files, sign-in and sign-out, and the description of the API. */
@NullMarked
package dev.clew.server.internal.page;

import org.jspecify.annotations.NullMarked;
