/** The page for people: its files, signing in and out. Uses {@code http} and {@code auth}. */
@NullMarked
package dev.clew.server.page;

import org.jspecify.annotations.NullMarked;
