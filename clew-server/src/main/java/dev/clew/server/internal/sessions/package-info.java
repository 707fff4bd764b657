/**
 * Everything about a caller's sessions beyond saying something in them: lists, histories, live
 * updates, exports, search, usage.
 */
@NullMarked
package dev.clew.server.internal.sessions;

import org.jspecify.annotations.NullMarked;
