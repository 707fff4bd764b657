/**
 * OpenAI's Chat Completions API. A request is read ({@code CompletionRequest}, {@code
 * MessageReader}) and answered ({@code CompletionTurn}) from exactly the messages that the client
 * sent. What was said is recorded in a session: {@code Recognition} finds where the client's
 * history continues one, and {@code Recorder} appends to it or makes a branch.
 */
@NullMarked
package dev.clew.server.internal.completions;

import org.jspecify.annotations.NullMarked;
