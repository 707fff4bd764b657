/**
 * The server: {@link dev.clew.server.ClewServer} over any store. Its settings are in {@code
 * settings}, what programs do to its store without it in {@code operate}; everything else is {@code
 * internal}, one package per part.
 */
@NullMarked
package dev.clew.server;

import org.jspecify.annotations.NullMarked;
