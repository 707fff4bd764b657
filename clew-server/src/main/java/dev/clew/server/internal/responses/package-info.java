/**
 * OpenAI's Responses API. A call is read ({@code CreateRequest}), its session found and taken
 * ({@code TurnPreparer}), answered ({@code ResponseTurn}, {@code Output}) and committed ({@code
 * ResponseRecords}); the context of a response is always a session, never a second copy.
 */
@NullMarked
package dev.clew.server.internal.responses;

import org.jspecify.annotations.NullMarked;
