/** The page for people, its files, signing in and out, and the description of the API. */
@NullMarked
package dev.clew.server.internal.page;

import org.jspecify.annotations.NullMarked;
