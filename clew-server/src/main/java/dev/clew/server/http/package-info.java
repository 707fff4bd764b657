/**
 * HTTP: routes, calls, answers, streams of events, and the chain of handlers that keeps slow and
 * oversized requests from the rest. Knows nothing of conversations.
 */
@NullMarked
package dev.clew.server.http;

import org.jspecify.annotations.NullMarked;
