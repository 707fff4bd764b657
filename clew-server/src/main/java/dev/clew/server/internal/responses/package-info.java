/**
 * OpenAI's Responses API. A request is read ({@code CreateRequest}), its session found and locked
 * ({@code TurnPreparer}), answered ({@code ResponseTurn}, {@code Output}) and stored ({@code
 * ResponseRecords}). The context of a response is always a session, never a second copy.
 */
@NullMarked
package dev.clew.server.internal.responses;

import org.jspecify.annotations.NullMarked;
