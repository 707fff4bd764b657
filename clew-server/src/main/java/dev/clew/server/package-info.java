/**
 * The server: {@link dev.clew.server.ClewServer} over any store. Each API is a package that makes
 * routes; {@code http} serves them, {@code auth} says who calls.
 */
@NullMarked
package dev.clew.server;

import org.jspecify.annotations.NullMarked;
