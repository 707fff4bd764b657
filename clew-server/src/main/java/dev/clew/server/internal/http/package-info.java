/**
 * HTTP: routes, calls, answers, streams of events, and the chain of handlers that keeps slow and
 * oversized requests from the rest. It sends bytes and knows nothing of sessions.
 */
@NullMarked
package dev.clew.server.internal.http;

import org.jspecify.annotations.NullMarked;
