/**
 * OpenAI's Responses API. A call is read ({@code CreateRequest}), its place found ({@code Turns}),
 * answered ({@code ResponseRun}, {@code Output}) and committed ({@code ResponseRecords}); the
 * context of a response is always a session, never a second copy.
 */
@NullMarked
package dev.clew.server.internal.responses;

import org.jspecify.annotations.NullMarked;
