/**
 * Everything about a caller's sessions except chatting: lists, histories, live updates, exports,
 * search, statistics.
 */
@NullMarked
package dev.clew.server.internal.sessions;

import org.jspecify.annotations.NullMarked;
