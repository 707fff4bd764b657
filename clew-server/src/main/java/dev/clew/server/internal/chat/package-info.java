/**
 * The chat API and the turns of sessions. Other packages start, stop and follow turns through
 * {@link dev.clew.server.internal.chat.SessionTurns}.
 */
@NullMarked
package dev.clew.server.internal.chat;

import org.jspecify.annotations.NullMarked;
