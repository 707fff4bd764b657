/**
 * WebSockets: messages of text in both directions, and protection from clients that send too much,
 * read too slowly, or are gone. It knows nothing about sessions.
 */
@NullMarked
package dev.clew.server.internal.sockets;

import org.jspecify.annotations.NullMarked;
