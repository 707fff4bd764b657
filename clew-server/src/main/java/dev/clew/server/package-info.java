/**
 * The server: {@link dev.clew.server.ClewServer} over any store. How it is set up is in {@code
 * settings}, what can be done to its store without it in {@code operate}; everything else is {@code
 * internal}, one package for each part.
 */
@NullMarked
package dev.clew.server;

import org.jspecify.annotations.NullMarked;
