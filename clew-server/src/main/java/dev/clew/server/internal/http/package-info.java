/**
 * HTTP: routes, calls, answers, streams of events, and protection from slow and oversized requests.
 * It knows nothing about sessions.
 */
@NullMarked
package dev.clew.server.internal.http;

import org.jspecify.annotations.NullMarked;
