/**
 * The chat API: a message in, an answer out, and the turns of sessions that bring it about. Other
 * packages start, stop and follow turns through {@link dev.clew.server.internal.chat.SessionTurns}.
 */
@NullMarked
package dev.clew.server.internal.chat;

import org.jspecify.annotations.NullMarked;
