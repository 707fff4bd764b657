/** Helpers that know nothing about the server. */
@NullMarked
package dev.clew.server.internal.base;

import org.jspecify.annotations.NullMarked;
